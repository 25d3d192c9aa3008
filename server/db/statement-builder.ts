import { Kysely, type Driver } from 'kysely'
import { postgres } from './postgres-dialect.ts'
import type { Schema } from './schema.ts'

const refuse = (): Promise<never> => Promise.reject(new Error('transactions are begun and ended by their owner'))

/** Owns no connection: transactions are begun and ended by `inTransaction`. */
export const driver: Driver = {
  init: async () => undefined,
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: refuse,
  destroy: async () => undefined,
}
export const builderConfig = { dialect: postgres(driver) }
/** Builds and compiles statements, and runs none. */
export const statementBuilder = new Kysely<Schema>(builderConfig)
