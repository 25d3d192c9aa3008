import { atomically, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { enqueueWork, organizationWork } from '../../work.ts'

/** Drops of the log of a base what is older than the base keeps it. */
export const forgetRetrievalsWork = organizationWork<{ baseId: string }>('forget-retrievals', (ctx, { baseId }) =>
  atomically(ctx, async (trx) => {
    const base = await trx.selectFrom('base').select('retrieval_days').where('id', '=', baseId).executeTakeFirst()
    if (base === undefined) return
    const oldest = new Date(ctx.now().getTime() - base.retrieval_days * dayMs)
    await trx.deleteFrom('retrieval').where('base_id', '=', baseId).where('created_at', '<', oldest).execute()
  }),
)

const dayMs = 86_400_000

/** For the transaction that adds rows up to `last`: the first of a day bring the job that forgets all rows of that day. */
export async function enqueueForgetting(
  ctx: Pick<Context, 'jobs' | 'organizationId'>,
  trx: Transaction,
  { baseId, days, before, last }: { baseId: string; days: number; before: Date | null; last: Date },
): Promise<void> {
  if (before !== null && day(before) === day(last)) return
  await enqueueWork(ctx, trx, forgetRetrievalsWork, { baseId }, { delaySeconds: (days + 1) * 86_400 })
}

const day = (time: Date): string => time.toISOString().slice(0, 10)

/**
 * For the transaction that changes how long a base's log is kept: what is too old by now goes soon, and what is there goes in
 * time even if nothing is searched any more.
 */
export async function keepRetrievalsFor(ctx: Context, trx: Transaction, baseId: string, days: number): Promise<void> {
  for (const delaySeconds of [0, (days + 1) * 86_400]) await enqueueWork(ctx, trx, forgetRetrievalsWork, { baseId }, { delaySeconds })
}
