import type { GroundworkApi, System } from '@groundwork/api'
import { sql } from 'kysely'
import { select, selectSql, type Context, type Platform } from '../context.ts'
import type { Handlers } from '../handlers.ts'
import { sendResetQueue } from '../identity/reset-mail.ts'

/** What the composition root knows of the set-up. */
export interface About {
  readonly version: string
  readonly database: System['database']
  readonly embedder: System['embedder']['kind']
  readonly reranker: System['reranker']
  readonly oidc: boolean
}

/** An embedder is asked whether it answers once in so long. */
const askedAgainMs = 60_000
const patienceMs = 5_000

export async function getSystem(ctx: Context): Promise<System> {
  const { version, database, reranker, oidc, embedder } = ctx.about
  const [failed] = await select(ctx, (db) =>
    db.selectFrom('mail').select('error').where('error', 'is not', null).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1),
  )
  const [resets] = await selectSql(ctx, resetsThatFail)
  const error = await faultOf(ctx.embedder, ctx.now())
  return {
    version,
    database,
    storage: 'local',
    embedder: { kind: embedder, model: ctx.embedder.model, dimensions: ctx.embedder.dimensions, ready: error === null, error },
    reranker,
    mail: { kind: ctx.mailer.kind, lastError: failed?.error ?? (resets?.failing === true ? resetFailure : null) },
    oidc,
  }
}

/** Of no organization, so of no one's address: what the mail server said of it is in the log. */
const resetFailure = 'A message that sets a forgotten password could not be sent; the log tells why.'

/** Whether one is being tried again, or was given up in the last hour. */
const resetsThatFail = sql<{ failing: boolean }>`
  select exists (select from pgboss.job where name = ${sql.lit(sendResetQueue.name)} and state in ('retry', 'failed')) as failing`

const asked = new WeakMap<Platform['embedder'], { until: number; fault: Promise<string | null> }>()

function faultOf(embedder: Platform['embedder'], now: Date): Promise<string | null> {
  const known = asked.get(embedder)
  if (known !== undefined && now.getTime() < known.until) return known.fault
  const fault = embedder.embed(['ready'], 'query', AbortSignal.timeout(patienceMs)).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  asked.set(embedder, { until: now.getTime() + askedAgainMs, fault })
  return fault
}

export const systemHandlers: Handlers<GroundworkApi>['system'] = { get: (ctx) => getSystem(ctx) }
