import type { Updateable } from 'kysely'
import type { Context } from '../../context.ts'
import type { ReindexTable, Transaction } from '../../db/schema.ts'
import { shortJobsQueue } from '../../jobs/short-jobs.ts'
import { switchReindexHandler, type SwitchWhenReady } from './queue.ts'
import type { ReindexRow } from './rows.ts'

/**
 * Marks a re-index as ready after all builds and the evaluation. A job performs an automatic switch: the caller has locked the
 * re-index, and so can no longer lock the sources and the knowledge base.
 */
export async function becomeReady(
  ctx: Context,
  trx: Transaction,
  reindex: Pick<ReindexRow, 'id' | 'base_id' | 'switch_when_ready'>,
  changes: Updateable<ReindexTable> = {},
): Promise<void> {
  const now = ctx.now()
  await trx
    .updateTable('reindex')
    .set({ ...changes, status: 'ready', ready_at: now, updated_at: now })
    .where('id', '=', reindex.id)
    .execute()
  if (!reindex.switch_when_ready) return
  const data: SwitchWhenReady = { organizationId: ctx.organizationId, baseId: reindex.base_id, reindexId: reindex.id }
  await ctx.jobs.enqueue(trx, shortJobsQueue, data, { handler: switchReindexHandler })
}
