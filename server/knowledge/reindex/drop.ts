import { withTransaction, type Context } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import type { Transaction } from '../../db/schema.ts'
import { enqueueWork, organizationWork } from '../../work.ts'
import { deleteDocuments } from '../rows/documents.ts'
import { deleteGeneration } from '../index/remove.ts'
import { isOpen, type ReindexSourceRow } from './rows.ts'

interface DropReindex {
  reindexId: string
}

export const dropReindexWork = organizationWork<DropReindex>('drop-reindex', dropReindex)

/** Queues the deletion of the shadow index: now, or when the switch can no longer be rolled back. */
export function enqueueDrop(ctx: Context, trx: Transaction, reindexId: string, options?: { delaySeconds: number }): Promise<void> {
  return enqueueWork(ctx, trx, dropReindexWork, { reindexId }, options)
}

async function dropReindex(ctx: Context, { reindexId }: DropReindex): Promise<void> {
  await withTransaction(ctx, (trx) =>
    trx
      .updateTable('reindex')
      .set({ kept_until: null })
      .where('id', '=', reindexId)
      .where('status', '=', 'switched')
      .where('kept_until', '<=', ctx.now())
      .execute(),
  )
  // One source per transaction, so that none takes longer than deleting a source.
  while (await withTransaction(ctx, (trx) => dropNext(ctx, trx, reindexId)));
}

async function dropNext(ctx: Context, trx: Transaction, reindexId: string): Promise<boolean> {
  const mine = () => trx.selectFrom('reindex_source').where('reindex_id', '=', reindexId).where('generation', 'is not', null)
  const next = await mine().select('source_id').orderBy('source_id').limit(1).executeTakeFirst()
  if (next === undefined) return false
  await trx.selectFrom('source').select('id').where('id', '=', next.source_id).forKeyShare().execute()
  const reindex = await trx.selectFrom('reindex').select(['status', 'kept_until']).where('id', '=', reindexId).forShare().executeTakeFirst()
  if (reindex === undefined || isOpen(reindex)) return false
  const row = await mine().selectAll().where('source_id', '=', next.source_id).forUpdate().executeTakeFirst()
  if (row !== undefined) await dropShadowIndex(ctx, trx, row)
  return true
}

/** Deletes the shadow index of a source. The caller has locked source and re-index. */
export async function dropShadowIndex(ctx: Context, trx: Transaction, row: ReindexSourceRow): Promise<void> {
  if (row.generation === null) return
  await deleteGeneration(ctx, trx, { baseId: row.base_id, generation: row.generation })
  await deleteDocuments(ctx, trx, row.source_id, row.generation)
  const update = trx
    .updateTable('reindex_source')
    .set({ generation: null })
    .where('reindex_id', '=', row.reindex_id)
    .where('source_id', '=', row.source_id)
  await defer(trx, update.compile())
}
