import type { Scope } from '@groundwork/api'
import type { Compilable } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from './db/database.ts'
import type { Transaction } from './db/schema.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Embedder } from './knowledge/embed/embedder.ts'
import type { Storage } from './storage/storage.ts'

/** Who asks. */
export interface Actor {
  readonly tokenId: string
  readonly scopes: readonly Scope[]
}

/** What every verb may use, whoever asks: made once by the composition root. */
export interface Platform {
  readonly db: Database
  readonly jobs: Jobs
  readonly storage: Storage
  readonly embedder: Embedder
  readonly log: Logger
  /** The public address, without a slash at its end. */
  readonly baseUrl: string
  /** Signs what the service hands out and wants back unchanged. */
  readonly secretKey: string
  now: () => Date
}

/** A verb's first argument: on whose behalf it acts, and with what. */
export interface Context extends Platform {
  readonly organizationId: string
}

/** One transaction of the context's organization: what `fn` changes is kept as a whole or not at all. */
export function atomically<T>(ctx: Context, fn: (trx: Transaction) => Promise<T>): Promise<T> {
  return ctx.db.transaction(ctx.organizationId, fn)
}

/** The rows of one statement: as safe as `atomically`, and quicker where a read needs no more. */
export function select<Row>(ctx: Context, build: (db: Transaction) => Compilable<Row>): Promise<Row[]> {
  return ctx.db.select(ctx.organizationId, build)
}
