import type { Selectable } from 'kysely'
import type { Context } from '../../context.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { advanceReindex, cleared } from './advance.ts'
import { dropBeside } from './drop.ts'
import { forgetEvaluation } from './evaluation.ts'
import { isOpen, type ReindexRow } from './rows.ts'
import { targetOf } from './targets.ts'

/**
 * The base's re-index that is still at work or can be rolled back, held until the transaction ends. Whoever calls it holds
 * the source that it changes, and changes it after that. One that is just being begun is waited for: it takes the base.
 */
export async function holdOpenReindex(trx: Transaction, baseId: string): Promise<ReindexRow | undefined> {
  await trx.selectFrom('base').select('id').where('id', '=', baseId).forShare().execute()
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

/**
 * For the transaction that ends an attempt to process a source: the base's re-index takes up what is searched now, and what
 * was built of or kept from content that was replaced goes.
 * @param row the source as it is now, held by the caller
 */
export async function sourceSettled(ctx: Context, trx: Transaction, row: Selectable<SourceTable>): Promise<void> {
  const reindex = await holdOpenReindex(trx, row.base_id)
  if (reindex === undefined) return
  const beside = await trx
    .selectFrom('reindex_source')
    .selectAll()
    .where('reindex_id', '=', reindex.id)
    .where('source_id', '=', row.id)
    .forUpdate()
    .executeTakeFirst()
  const replaced = row.live_generation !== null && beside?.of_generation !== row.live_generation
  if (replaced && beside !== undefined && beside.status !== 'building') await dropBeside(ctx, trx, beside)
  if (replaced && beside?.status !== 'building' && (reindex.status !== 'switched' || begunBefore(ctx, reindex, row))) {
    await trx
      .insertInto('reindex_source')
      .values({ organization_id: ctx.organizationId, reindex_id: reindex.id, source_id: row.id, base_id: row.base_id, status: 'waiting' })
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'reindex_id', 'source_id'])
          .doUpdateSet({ ...cleared, status: 'waiting', of_generation: null }),
      )
      .execute()
    await forgetEvaluation(trx, reindex.id)
    if (reindex.status === 'ready') {
      const set = { status: 'building', ready_at: null } as const
      await trx.updateTable('reindex').set(set).where('id', '=', reindex.id).execute()
      return advanceReindex(ctx, trx, { ...reindex, ...set })
    }
  }
  await advanceReindex(ctx, trx, reindex)
}

/** An attempt that began before the switch may have read the settings of that time: it is to be made like the others. */
function begunBefore({ embedder }: Context, reindex: ReindexRow, row: Selectable<SourceTable>): boolean {
  if (row.generation >= (reindex.switched_generation ?? 0)) return false
  try {
    return row.indexed_as !== targetOf(embedder, reindex, row).indexedAs
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** For the transaction that deletes a source: the re-index held before goes on without it. */
export async function sourceDeleted(ctx: Context, trx: Transaction, reindex: ReindexRow | undefined): Promise<void> {
  if (reindex !== undefined) await advanceReindex(ctx, trx, reindex)
}
