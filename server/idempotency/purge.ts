import { withTransaction, type Context } from '../context.ts'
import { afterCommit } from '../db/deferred.ts'
import type { Transaction } from '../db/schema.ts'
import { latestPeriods } from '../lib/latest-periods.ts'
import { enqueueWork, organizationWork } from '../work.ts'

/** How long responses are stored, in milliseconds. */
export const retentionMs = 24 * 3_600_000
/** Responses created in the same hour are deleted by one job. */
const purgeIntervalMs = 3_600_000

/** The hours whose job exists. */
const enqueued = latestPeriods()

interface PurgeAnswers {
  /** Responses created before this time (ISO 8601) are deleted when they expire. */
  createdBefore: string
}

export const purgeAnswersWork = organizationWork<PurgeAnswers>('purge-idempotency-answers', purgeAnswers)

/**
 * Enqueues the deletion of the current hour's responses unless a job exists. Call it before storing a response, in the same
 * transaction.
 */
export async function enqueuePurge(ctx: Context, trx: Transaction, now: Date): Promise<void> {
  const from = new Date(now.getTime() - (now.getTime() % purgeIntervalMs))
  if (enqueued.has(ctx.organizationId, from.getTime())) return
  const until = new Date(from.getTime() + purgeIntervalMs)
  const other = await trx
    .selectFrom('idempotency_answer')
    .select('key')
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) await enqueueAt(ctx, trx, until)
  afterCommit(trx, () => enqueued.add(ctx.organizationId, from.getTime()))
}

function enqueueAt(ctx: Context, trx: Transaction, createdBefore: Date): Promise<void> {
  const delaySeconds = Math.max(1, Math.ceil((createdBefore.getTime() + retentionMs - ctx.now().getTime()) / 1000))
  return enqueueWork(ctx, trx, purgeAnswersWork, { createdBefore: createdBefore.toISOString() }, { delaySeconds })
}

async function purgeAnswers(ctx: Context, { createdBefore }: PurgeAnswers): Promise<void> {
  const before = new Date(createdBefore)
  await withTransaction(ctx, async (trx) => {
    // The queue uses the database's clock, which may be ahead of this one.
    if (ctx.now().getTime() < before.getTime() + retentionMs) return enqueueAt(ctx, trx, before)
    await trx.deleteFrom('idempotency_answer').where('created_at', '<', before).execute()
  })
}
