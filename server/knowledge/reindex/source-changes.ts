import type { Selectable } from 'kysely'
import { defer } from '../../db/deferred.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import type { SourceSubscriber } from '../rows/source-subscriber.ts'
import { advanceReindex, notStarted } from './advance.ts'
import { dropShadowIndex } from './drop.ts'
import { deleteReindexEvaluation } from './evaluation.ts'
import { isOpen, type ReindexRow } from './rows.ts'
import { targetOf } from './targets.ts'

/** Keeps the open re-index of a knowledge base up to date with its sources. It continues without a deleted source. */
export const reindexSubscriber: SourceSubscriber = {
  settled: sourceSettled,
  async deleting(ctx, trx, row) {
    const reindex = await lockOpenReindex(trx, row.base_id)
    return async () => {
      if (reindex !== undefined) await advanceReindex(ctx, trx, reindex)
    }
  },
}

/**
 * Locks and returns the re-index of the knowledge base that is open or can be rolled back. The caller has locked the source and
 * changes it afterwards. Waits for a re-index that is just beginning, which locks the knowledge base.
 */
async function lockOpenReindex(trx: Transaction, baseId: string): Promise<ReindexRow | undefined> {
  await defer(trx, trx.selectFrom('base').select('id').where('id', '=', baseId).forShare().compile())
  const row = await trx
    .selectFrom('reindex')
    .selectAll()
    .where('base_id', '=', baseId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined && isOpen(row) ? row : undefined
}

/** Includes the new live content of a source in the re-index, and deletes indexes of replaced content. */
async function sourceSettled(ctx: KnowledgeContext, trx: Transaction, row: Selectable<SourceTable>): Promise<void> {
  const reindex = await lockOpenReindex(trx, row.base_id)
  if (reindex === undefined) return
  const beside = await trx
    .selectFrom('reindex_source')
    .selectAll()
    .where('reindex_id', '=', reindex.id)
    .where('source_id', '=', row.id)
    .forUpdate()
    .executeTakeFirst()
  const replaced = row.live_generation !== null && beside?.of_generation !== row.live_generation
  if (replaced && beside !== undefined && beside.status !== 'building') await dropShadowIndex(ctx, trx, beside)
  if (replaced && beside?.status !== 'building' && (reindex.status !== 'switched' || begunBefore(ctx, reindex, row))) {
    await trx
      .insertInto('reindex_source')
      .values({ organization_id: ctx.organizationId, reindex_id: reindex.id, source_id: row.id, base_id: row.base_id, status: 'waiting' })
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'reindex_id', 'source_id'])
          .doUpdateSet({ ...notStarted, status: 'waiting', of_generation: null }),
      )
      .execute()
    await deleteReindexEvaluation(trx, reindex.id)
    if (reindex.status === 'ready') {
      const set = { status: 'building', ready_at: null } as const
      await trx.updateTable('reindex').set(set).where('id', '=', reindex.id).execute()
      return advanceReindex(ctx, trx, { ...reindex, ...set })
    }
  }
  await advanceReindex(ctx, trx, reindex)
}

/** Returns whether an attempt began before the switch: it may have read the former settings and needs a build. */
function begunBefore({ embedder }: KnowledgeContext, reindex: ReindexRow, row: Selectable<SourceTable>): boolean {
  if (row.generation >= (reindex.switched_generation ?? 0)) return false
  try {
    return row.index_config !== targetOf(embedder, reindex, row).indexConfig
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
