import type { GroundworkApi, System } from '@groundwork/api'
import { sql } from 'kysely'
import type { BackupWarning } from '../backup/backup-folder.ts'
import { select, selectSql, type Context } from '../context.ts'
import type { Handlers } from '../handlers.ts'
import { sendResetHandler } from '../identity/reset-mail.ts'
import { shortJobsQueue } from '../jobs/short-jobs.ts'
import type { KnowledgeServices } from '../knowledge/context.ts'
import type { Embedder } from '../knowledge/embed/embedder.ts'
import type { MailServices } from '../mail/mailer.ts'

/** The configuration that `GET /v1/system` reports. */
export interface SystemInfo {
  readonly version: string
  readonly database: System['database']
  readonly storage: System['storage']
  readonly embedder: System['embedder']['kind']
  readonly reranker: System['reranker']
  readonly chat: System['chat']
  readonly oidc: boolean
}

export interface SystemServices extends Pick<KnowledgeServices, 'embedder'>, MailServices {
  readonly systemInfo: SystemInfo
  /** Returns what is wrong with the scheduled backups; null if nothing is, and without any. */
  readonly backupWarning: () => Promise<BackupWarning | null>
}

interface SystemContext extends Context, SystemServices {}

/** Minimum interval between two checks of the embedder. */
const checkIntervalMs = 60_000
const checkTimeoutMs = 5_000

export async function getSystem(ctx: SystemContext): Promise<System> {
  const { version, database, storage, reranker, chat, oidc, embedder } = ctx.systemInfo
  const [failed] = await select(ctx, (db) =>
    db
      .selectFrom('mail')
      .select('error')
      .where('error', 'is not', null)
      // A refused message about a proposal concerns its recipient, and the proposal shows it.
      .where((of) => of.or([of('proposal_id', 'is', null), of('state', '=', 'queued')]))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1),
  )
  const [resets] = await selectSql(ctx, failingResets)
  const error = await embedderError(ctx.embedder, ctx.now())
  return {
    version,
    database,
    storage,
    embedder: { kind: embedder, model: ctx.embedder.model, dimensions: ctx.embedder.dimensions, ready: error === null, error },
    reranker,
    chat,
    mail: { kind: ctx.mailer.kind, lastError: failed?.error ?? (resets?.failing === true ? resetFailure : null) },
    oidc,
  }
}

/** Without the address and the mail server's message, since a reset belongs to no organization. The log has both. */
const resetFailure = 'A password reset email could not be sent. The log has the reason.'

/** Returns whether a password reset email is being retried or has failed. */
const failingResets = sql<{ failing: boolean }>`
  select exists (
    select from pgboss.job where name = ${sql.lit(shortJobsQueue.name)} and state in ('retry', 'failed')
      and data ->> 'handler' = ${sql.lit(sendResetHandler)}
  ) as failing`

const checks = new WeakMap<Embedder, { until: number; result: Promise<string | null> }>()

function embedderError(embedder: Embedder, now: Date): Promise<string | null> {
  const latest = checks.get(embedder)
  if (latest !== undefined && now.getTime() < latest.until) return latest.result
  const result = embedder.embed(['ready'], 'query', AbortSignal.timeout(checkTimeoutMs)).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  checks.set(embedder, { until: now.getTime() + checkIntervalMs, result })
  return result
}

export const systemHandlers: Handlers<GroundworkApi, SystemServices>['system'] = { get: (ctx) => getSystem(ctx) }
