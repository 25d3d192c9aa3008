import { withTransaction } from '../../context.ts'
import { chunksBeyondQuota } from '../../db/quota-error.ts'
import { readUsage } from '../../quotas/usage.ts'
import type { Attempt } from '../rows/attempt.ts'

/**
 * Refuses chunks that would exceed the quota before they are embedded. The transaction that makes them searchable is refused in any
 * case; until then, other sources may add chunks.
 * @throws AppError `quota_exceeded`
 */
export async function refuseChunksBeyondQuota({ ctx, sourceId }: Attempt, total: number): Promise<void> {
  await withTransaction(ctx, async (trx) => {
    const [{ chunks }, source] = await Promise.all([
      readUsage(trx),
      trx.selectFrom('source').select('chunks_count').where('id', '=', sourceId).executeTakeFirst(),
    ])
    const replaced = source?.chunks_count ?? 0
    const needed = chunks.used - replaced + total
    if (chunks.limit !== null && total > replaced && needed > chunks.limit) throw chunksBeyondQuota(needed, chunks.limit)
  })
}
