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
import type { SystemInfo } from './system/system.ts'

export interface Origin {
  readonly address: string
  readonly requestId: string
}

interface ActorBase extends Origin {
  readonly scopes: readonly Scope[]
  /** The only knowledge bases that the actor can access; null for all. */
  readonly baseIds: readonly string[] | null
}

export interface TokenActor extends ActorBase {
  readonly kind: 'token'
  readonly tokenId: string
}

/** A signed-in member of the organization. */
export interface UserActor extends ActorBase {
  readonly kind: 'user'
  readonly userId: string
  readonly role: Role
  readonly sessionId: string
}

/** The caller of a request, with its permissions and address. */
export type Actor = TokenActor | UserActor

/** Returns the id of the token or the user. */
export const actorId = (actor: Actor): string => (actor.kind === 'token' ? actor.tokenId : actor.userId)

/** The services available to every handler. The composition root creates them once. */
export interface Platform {
  readonly db: Database
  readonly jobs: Jobs
  readonly events: EventFeed
  readonly storage: Storage
  readonly embedder: Embedder
  readonly indexes: SearchIndexes
  readonly searchLatencies: SearchLatencies
  /** Null if no reranker is configured. */
  readonly reranker: Reranker | null
  /** Checks whether outbound requests to a URL are allowed. Code that sends requests receives `Outbound` itself. */
  readonly outbound: Pick<Outbound, 'check'>
  /** Extracts and chunks documents without storing them. */
  readonly previewer: Previewer
  /** Logs searches after the response is sent. */
  readonly retrievals: RetrievalLog
  readonly log: Logger
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string
  /** Origins allowed by CORS: their pages can use API tokens, but no sessions. */
  readonly corsOrigins: readonly string[]
  /** The URL of the video service: YouTube, or a replacement that the operator set. */
  readonly youtubeUrl: string
  /** Signs values that the service hands out and later accepts back, such as upload URLs. */
  readonly secretKey: string
  /** Limits database look-ups of unknown secrets by client address. */
  readonly authenticationThrottle: AuthenticationThrottle
  /** Users and their sessions. */
  readonly identity: Identity
  readonly mailer: Mailer
  /** The configuration that `GET /v1/system` reports. */
  readonly systemInfo: SystemInfo
  /** Removes the token from this process's cache after it was revoked or rotated. */
  invalidateToken: (tokenId: string) => void
  now: () => Date
}

/** The context of a handler without authentication. The handler checks permissions itself. */
export interface PublicContext extends Platform {
  readonly origin: Origin
  /** The Cookie header, if the request comes from a page of this service; empty otherwise. */
  readonly cookies: string
}

/** The context of a handler for a signed-in user, without an organization. */
export interface SessionContext extends PublicContext {
  readonly session: Session
}

/** The API or integration that received a request. */
export type Via = 'api' | 'mcp' | 'openai' | 'dify' | 'vapi'

/** The first argument of a handler or job: the organization, the actor and the services. */
export interface Context extends Platform {
  readonly organizationId: string
  /** Absent in a job. */
  readonly actor?: Actor
  /** Arrival time of the request by `performance.now()`, in milliseconds; absent in a job. */
  readonly arrivedAt?: number
  /** `api` by default. */
  readonly via?: Via
  /** The database itself, if `db` joins the request transaction. */
  readonly independentDb?: Database
}

/**
 * Runs `fn` in one transaction of the context's organization. If the actor is limited to some knowledge bases, row-level
 * security hides all others and their sources.
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
 * Returns a context whose transactions are independent of the request transaction. A handler that only reads before long work
 * uses it, so that no transaction stays open during that work.
 */
export function outsideRequestTransaction(ctx: Context): Context {
  return ctx.independentDb === undefined ? ctx : { ...ctx, db: ctx.independentDb }
}

/**
 * Returns the rows of one statement. Applies the same isolation as `withTransaction` and avoids the round trips of a
 * transaction where possible.
 */
export function select<Row>(ctx: Context, build: (db: Transaction) => Compilable<Row>, options?: SelectOptions): Promise<Row[]> {
  if ((ctx.actor?.baseIds ?? null) === null) return ctx.db.select(ctx.organizationId, build, options)
  return withTransaction(ctx, async (trx) => (await trx.executeQuery(build(trx).compile())).rows, options)
}

/** Does the same as `select` for raw SQL. */
export function selectSql<Row>(ctx: Context, statement: RawBuilder<Row>, options?: SelectOptions): Promise<Row[]> {
  return select(ctx, (db) => ({ compile: () => statement.compile(db) }), options)
}

/** @throws AppError `forbidden` if the actor is limited to some knowledge bases */
export function requireWholeOrganization({ actor }: Context): void {
  if ((actor?.baseIds ?? null) !== null) {
    throw new AppError('forbidden', 'The API token is limited to some knowledge bases and cannot read data of the whole organization.')
  }
}
