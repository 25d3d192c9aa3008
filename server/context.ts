import type { Role, Scope } from '@groundwork/api'
import { sql, type Compilable, type RawBuilder } from 'kysely'
import type { Logger } from 'pino'
import type { Database, SelectOptions } from './db/database.ts'
import { plannedOnceSettings } from './db/scoped-query.ts'
import type { Transaction } from './db/schema.ts'
import type { EventFeed } from './events/feed.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Identity, Session } from './identity/identity.ts'
import type { Embedder } from './knowledge/embed/embedder.ts'
import { AppError } from './lib/errors.ts'
import type { Previewer } from './knowledge/preview/previewer.ts'
import type { Reranker } from './knowledge/rerank/reranker.ts'
import type { RetrievalLog } from './knowledge/retrievals/log.ts'
import type { SearchLatencies } from './knowledge/search/latency-estimates.ts'
import type { SearchIndexes } from './knowledge/search/search-indexes.ts'
import type { AuthenticationThrottle } from './limits/authentication-throttle.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Storage } from './storage/storage.ts'
import type { About } from './system/system.ts'

/** Where a request came from. */
export interface Origin {
  readonly address: string
  readonly requestId: string
}

interface Allowed extends Origin {
  readonly scopes: readonly Scope[]
  /** The only bases that it may see; null for all. */
  readonly baseIds: readonly string[] | null
}

export interface TokenActor extends Allowed {
  readonly kind: 'token'
  readonly tokenId: string
}

/** A member of the organization who is signed in. */
export interface UserActor extends Allowed {
  readonly kind: 'user'
  readonly userId: string
  readonly role: Role
  readonly sessionId: string
}

/** Who asks, and from where. */
export type Actor = TokenActor | UserActor

/** The id of the token or of the user. */
export const actorId = (actor: Actor): string => (actor.kind === 'token' ? actor.tokenId : actor.userId)

/** What every verb may use, whoever asks: made once by the composition root. */
export interface Platform {
  readonly db: Database
  readonly jobs: Jobs
  readonly events: EventFeed
  readonly storage: Storage
  readonly embedder: Embedder
  readonly indexes: SearchIndexes
  readonly searchLatencies: SearchLatencies
  /** Null where the operator has none. */
  readonly reranker: Reranker | null
  /** Which addresses the program would not send requests to. Who sends them is handed the door itself. */
  readonly outbound: Pick<Outbound, 'check'>
  /** Reads documents for who only wants to see what would become of them. */
  readonly previewer: Previewer
  /** Writes down what is searched for, behind the answer. */
  readonly retrievals: RetrievalLog
  readonly log: Logger
  /** The public address, without a slash at its end. */
  readonly baseUrl: string
  /** Origins whose pages may read answers, with an API token and never with a session. */
  readonly corsOrigins: readonly string[]
  /** Where videos are asked about: YouTube, or what the operator put in its place. */
  readonly youtubeUrl: string
  /** Signs what the service hands out and wants back unchanged. */
  readonly secretKey: string
  /** Bounds the look-ups of secrets that callers without a token present. */
  readonly authenticationThrottle: AuthenticationThrottle
  /** People: who signs in, and whose session it is. */
  readonly identity: Identity
  readonly mailer: Mailer
  /** How the service is set up. */
  readonly about: About
  /** Has this process ask the database about the token again, which was revoked or rotated. */
  invalidateToken: (tokenId: string) => void
  now: () => Date
}

/** On behalf of whoever has no token: the verb itself finds out what may be done. */
export interface PublicContext extends Platform {
  readonly origin: Origin
  /** The field Cookie of a request from a page of our own; empty otherwise. */
  readonly cookies: string
}

/** On behalf of whoever is signed in, whatever the organization. */
export interface SessionContext extends PublicContext {
  readonly session: Session
}

/** By which of the doors a request came. */
export type Via = 'api' | 'mcp' | 'openai' | 'dify' | 'vapi'

/** A verb's first argument: on whose behalf it acts, and with what. */
export interface Context extends Platform {
  readonly organizationId: string
  /** Absent where nobody asks: in a job. */
  readonly actor?: Actor
  /** When the request came, as `performance.now()` tells it; absent in a job. */
  readonly arrivedAt?: number
  /** `api` by default. */
  readonly via?: Via
  /** Where the request is one transaction, of which those of `db` are parts: the database itself. */
  readonly independentDb?: Database
}

/**
 * One transaction of the context's organization: what `fn` changes is kept as a whole or not at all. Where the actor is
 * limited to some bases, no other one is there, nor a source of it: row-level security hides them.
 */
export function withTransaction<T>(
  ctx: Context,
  fn: (trx: Transaction) => Promise<T>,
  { plannedOnce = false }: SelectOptions = {},
): Promise<T> {
  const baseIds = ctx.actor?.baseIds ?? null
  if (baseIds === null) return ctx.db.transaction(ctx.organizationId, fn)
  return ctx.db.transaction(ctx.organizationId, async (trx) => {
    const planning = plannedOnce ? sql.raw(`, ${plannedOnceSettings}`) : sql``
    await sql`select set_config('app.base_ids', ${`{${baseIds.join(',')}}`}, true)${planning}`.execute(trx)
    return fn(trx)
  })
}

/**
 * The same, but that its transactions are no parts of the request's: for a verb that only reads before it works for long,
 * so that no transaction waits for that.
 */
export function outsideRequestTransaction(ctx: Context): Context {
  return ctx.independentDb === undefined ? ctx : { ...ctx, db: ctx.independentDb }
}

/** The rows of one statement: as safe as `atomically`, and quicker where a read needs no more. */
export function select<Row>(ctx: Context, build: (db: Transaction) => Compilable<Row>, options?: SelectOptions): Promise<Row[]> {
  if ((ctx.actor?.baseIds ?? null) === null) return ctx.db.select(ctx.organizationId, build, options)
  return withTransaction(ctx, async (trx) => (await trx.executeQuery(build(trx).compile())).rows, options)
}

/** The same of a statement written as SQL. */
export function selectSql<Row>(ctx: Context, statement: RawBuilder<Row>, options?: SelectOptions): Promise<Row[]> {
  return select(ctx, (db) => ({ compile: () => statement.compile(db) }), options)
}

/** @throws AppError `forbidden` for an actor that is limited to some bases, where a verb tells of the whole organization */
export function requireWholeOrganization({ actor }: Context): void {
  if ((actor?.baseIds ?? null) !== null) {
    throw new AppError('forbidden', 'the API token is limited to some knowledge bases, and this tells of the whole organization')
  }
}
