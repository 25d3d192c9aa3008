import { requestDays } from '@groundwork/api'
import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'

/** Rows per transaction: the embedded engine serves no other connection meanwhile. */
const batch = 1000

const dayMs = 86_400_000

/** Returns the time before which requests are no longer kept. */
export const oldestRequest = ({ now }: Pick<Context, 'now'>): Date => new Date(now().getTime() - requestDays * dayMs)

/** Deletes expired requests. */
export const deleteExpiredRequestsWork = organizationWork('delete-expired-requests', async (ctx) => {
  const before = oldestRequest(ctx)
  while ((await deleteBatch(ctx, before)) === batch);
})

function deleteBatch(ctx: Context, before: Date): Promise<number> {
  return withTransaction(ctx, async (trx) => {
    const { numAffectedRows } = await sql`
      delete from api_request where ctid = any (array(
        select ctid from api_request where created_at < ${before} order by created_at limit ${batch}
      ))`.execute(trx)
    return Number(numAffectedRows ?? 0)
  })
}

/** Call it in the transaction that adds rows up to `last`: the first rows of a day enqueue the job that deletes the rows of that day. */
export async function enqueueExpiry(
  ctx: Pick<Context, 'jobs' | 'organizationId'>,
  trx: Transaction,
  { before, last }: { before: Date | null; last: Date },
): Promise<void> {
  if (before !== null && day(before) === day(last)) return
  await enqueueWork(ctx, trx, deleteExpiredRequestsWork, {}, { delaySeconds: (requestDays + 1) * 86_400 })
}

const day = (time: Date): number => Math.floor(time.getTime() / dayMs)
