import type { Updateable } from 'kysely'
import type { Context } from '../../context.ts'
import type { ReindexTable, Transaction } from '../../db/schema.ts'
import { switchReindexQueue, type SwitchWhenReady } from './queue.ts'
import type { ReindexRow } from './rows.ts'

/**
 * All that is to be built is, and was compared. One that switches by itself does so by a job: who holds a re-index, as the
 * caller does, can no longer take the sources and the base.
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
  await ctx.jobs.enqueue(trx, switchReindexQueue, data)
}
