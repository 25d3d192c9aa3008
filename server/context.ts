import type { Role, Scope } from '@groundwork/api'
import { sql, type Compilable, type RawBuilder } from 'kysely'
import type { Logger } from 'pino'
import type { Database, SelectOptions } from './db/database.ts'
import { plannedOnceSettings } from './db/scoped-query.ts'
import type { AuditEntryTable, Transaction } from './db/schema.ts'
import { isDeadlock } from './db/violations.ts'
import type { EventFeed } from './events/feed.ts'
import type { Jobs } from './jobs/jobs.ts'
import { AppError } from './lib/errors.ts'
import type { RetentionDays } from './lib/retention-days.ts'

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
  /** Whether it is the token of an agent, which cannot replace values that a person typed or verified. */
  readonly isAgent?: boolean
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

/** The services that every module uses. Modules with further services extend this type. */
export interface CoreServices {
  readonly db: Database
  readonly jobs: Jobs
  readonly events: EventFeed
  readonly log: Logger
  readonly retentionDays: RetentionDays
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string
  now: () => Date
}

/** The API or integration that received a request. The playground of the dashboard calls the API as a signed-in user. */
export type Via = 'api' | 'mcp' | 'openai' | 'dify' | 'vapi' | 'playground'

/** The first argument of a handler or job: the organization, the actor and the services. Modules extend it with their services. */
export interface Context extends CoreServices {
  readonly organizationId: string
  /** Absent in a job. */
  readonly actor?: Actor
  /** The recipient of a proposal, in a request to the page of the proposal. */
  readonly recipient?: Origin & { readonly id: string }
  /** The token or user for whom a job works. */
  readonly author?: { readonly type: AuditEntryTable['actor_type']; readonly id: string | null }
  /** Arrival time of the request by `performance.now()`, in milliseconds; absent in a job. */
  readonly arrivedAt?: number
  /** `playground` by default for a signed-in user, and else `api`. */
  readonly via?: Via
  /** The database itself, if `db` joins the request transaction. */
  readonly independentDb?: Database
  /** Whether the response of the request is stored, for repetitions with its Idempotency-Key. */
  readonly storesResponse?: boolean
}

/** No organization, for SQL functions that read across organizations and return little more than ids. */
export const noOrganization = '00000000-0000-0000-0000-000000000000'

/** The part of a context with which `select` reads. */
export interface ReadContext extends Pick<Context, 'organizationId' | 'actor'> {
  readonly db: Pick<Database, 'select' | 'transaction'>
}

/**
 * Runs `fn` in one transaction of the context's organization. If the actor is limited to some knowledge bases, row-level
 * security hides all others and their sources.
 */
export function withTransaction<T>(
  ctx: ReadContext,
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

/** Runs `fn` in a transaction, which a dry run rolls back: it does the same work, so its result is exact. */
export async function withDryRun<T>(ctx: Context, isDryRun: boolean, fn: (trx: Transaction) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined
  try {
    return await withTransaction(ctx, async (trx) => {
      const value = await fn(trx)
      if (!isDryRun) return value
      result = { value }
      throw new DryRunEnd('The dry run has ended.')
    })
  } catch (error) {
    if (error instanceof DryRunEnd && result !== undefined) return result.value
    throw error
  }
}

/** A second deadlock in a row is rare: the other transaction has committed since. */
const maxDeadlocks = 3

/**
 * Runs `work`, and repeats it if the database rolled its transaction back because of a deadlock. In a request transaction, the whole
 * request is repeated instead (`runRequest`).
 */
export async function repeatedOnDeadlock<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || ctx.independentDb !== undefined || attempt === maxDeadlocks) throw error
    }
  }
}

/** Rolls the transaction of a dry run back. */
class DryRunEnd extends Error {}

/**
 * Returns a context whose transactions are independent of the request transaction. A handler that only reads before long work
 * uses it, so that no transaction stays open during that work.
 */
export function outsideRequestTransaction<C extends Context>(ctx: C): C {
  return ctx.independentDb === undefined ? ctx : { ...ctx, db: ctx.independentDb }
}

/** Returns a context for a request that only reads: a replica of the database may answer. It shows all that was committed before. */
export const readingReplica = <C extends Context>(ctx: C): C => (ctx.db.reads === null ? ctx : { ...ctx, db: ctx.db.reads() })

/**
 * Returns the rows of one statement. Applies the same isolation as `withTransaction` and avoids the round trips of a
 * transaction where possible.
 */
export function select<Row>(ctx: ReadContext, build: (db: Transaction) => Compilable<Row>, options?: SelectOptions): Promise<Row[]> {
  if ((ctx.actor?.baseIds ?? null) === null) return ctx.db.select(ctx.organizationId, build, options)
  return withTransaction(ctx, async (trx) => (await trx.executeQuery(build(trx).compile())).rows, options)
}

/** Does the same as `select` for raw SQL. */
export function selectSql<Row>(ctx: ReadContext, statement: RawBuilder<Row>, options?: SelectOptions): Promise<Row[]> {
  return select(ctx, (db) => ({ compile: () => statement.compile(db) }), options)
}

/** @throws AppError `forbidden` if the actor is limited to some knowledge bases */
export function requireWholeOrganization({ actor }: Context): void {
  if ((actor?.baseIds ?? null) !== null) {
    throw new AppError('forbidden', 'The API token is limited to some knowledge bases and cannot read data of the whole organization.')
  }
}
