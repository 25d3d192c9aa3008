import type { GroundworkApi, System } from '@groundwork/api'
import { select, type Context, type Platform } from '../context.ts'
import type { Handlers } from '../handlers.ts'

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
  const error = await faultOf(ctx.embedder, ctx.now())
  return {
    version,
    database,
    storage: 'local',
    embedder: { kind: embedder, model: ctx.embedder.model, dimensions: ctx.embedder.dimensions, ready: error === null, error },
    reranker,
    mail: { kind: ctx.mailer.kind, lastError: failed?.error ?? null },
    oidc,
  }
}

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
