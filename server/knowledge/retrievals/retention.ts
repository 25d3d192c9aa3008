import { withTransaction, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { enqueueWork, organizationWork } from '../../work.ts'

/** Deletes expired rows of a knowledge base's retrieval log, or all of them if it keeps none. */
export const deleteExpiredRetrievalsWork = organizationWork<{ baseId: string }>('forget-retrievals', (ctx, { baseId }) =>
  withTransaction(ctx, async (trx) => {
    const base = await trx
      .selectFrom('base')
      .select(['log_retrievals', 'retrieval_days', 'retrievals_since'])
      .where('id', '=', baseId)
      .executeTakeFirst()
    const all = trx.deleteFrom('retrieval').where('base_id', '=', baseId)
    if (base === undefined || !base.log_retrievals) await all.execute()
    else await all.where('created_at', '<', oldestKept(base, ctx)).execute()
  }),
)

function oldestKept(
  { retrieval_days, retrievals_since }: { retrieval_days: number; retrievals_since: Date | null },
  { now, retentionDays }: Pick<Context, 'now' | 'retentionDays'>,
): Date {
  const days = Math.min(retrieval_days, retentionDays.retrievals)
  return new Date(Math.max(now().getTime() - days * dayMs, retrievals_since?.getTime() ?? 0))
}

const dayMs = 86_400_000

/** Call it in the transaction that adds rows up to `last`: the first rows of a day queue the job that deletes the rows of that day. */
export async function enqueueExpiry(
  ctx: Pick<Context, 'jobs' | 'organizationId' | 'retentionDays'>,
  trx: Transaction,
  { baseId, days, before, last }: { baseId: string; days: number; before: Date | null; last: Date },
): Promise<void> {
  if (before !== null && day(before) === day(last)) return
  const limit = ctx.retentionDays.retrievals
  await enqueueWork(ctx, trx, deleteExpiredRetrievalsWork, { baseId }, { delaySeconds: (Math.min(days, limit) + 1) * 86_400 })
  // Rows from before the setting was shortened have jobs that come too late.
  if (limit < days) await enqueueWork(ctx, trx, deleteExpiredRetrievalsWork, { baseId })
}

const day = (time: Date): string => time.toISOString().slice(0, 10)

/**
 * Call it in the transaction that changes the retention of a log: queues the deletion of expired rows now, and of the others
 * when they expire, even without further searches.
 */
export async function keepRetrievalsFor(ctx: Context, trx: Transaction, baseId: string, days: number): Promise<void> {
  for (const delaySeconds of [0, (days + 1) * 86_400])
    await enqueueWork(ctx, trx, deleteExpiredRetrievalsWork, { baseId }, { delaySeconds })
}

/** Call it in the transaction that disables a log: rows that a concurrent transaction adds are deleted right after it. */
export function dropRetrievals(ctx: Context, trx: Transaction, baseId: string): Promise<void> {
  return enqueueWork(ctx, trx, deleteExpiredRetrievalsWork, { baseId })
}
