import pg from 'pg'

const uniqueViolation = '23505'
const foreignKeyViolation = '23503'
const serializationFailure = '40001'
const deadlockDetected = '40P01'
const featureNotSupported = '0A000'

/** Name of the unique index that the statement would have broken; undefined when it failed otherwise. */
export function violatedIndex(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === uniqueViolation ? error.constraint : undefined
}

/** Whether the statement would have left a foreign key without the row that it names. */
export const breaksReference = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === foreignKeyViolation

/** Returns whether the transaction must be repeated, because another one changed rows that it had read. */
export const isSerializationFailure = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === serializationFailure

/** Returns whether the server rolled the transaction back because it and another one waited for each other. */
export const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === deadlockDetected

/**
 * Returns whether a prepared statement was refused because a migration changed the columns of its result ("cached plan must not
 * change result type").
 */
export const isChangedResult = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === featureNotSupported && error.routine === 'RevalidateCachedQuery'
