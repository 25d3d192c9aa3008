import pg from 'pg'

const sqlState = '23505'

/** Name of the unique index that the statement would have broken; undefined when it failed otherwise. */
export function violatedIndex(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === sqlState ? error.constraint : undefined
}
