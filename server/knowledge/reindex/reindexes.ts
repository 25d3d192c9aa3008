import { wireId, type ListReindexes, type Reindex } from '@groundwork/api'
import { audit } from '../../audit/audit.ts'
import { withTransaction, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { newestFirst } from '../../db/newest-first.ts'
import { pageOf } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import { requireBase } from '../rows/bases.ts'
import { enqueueDrop } from './drop.ts'
import { toReindex } from './record.ts'
import { lockReindex, noSuchReindex, type ReindexRow } from './rows.ts'

/** @throws AppError `not_found` */
export function getReindex(ctx: Context, baseId: string, reindexId: string): Promise<Reindex> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    const row = await trx.selectFrom('reindex').selectAll().where('id', '=', reindexId).where('base_id', '=', baseId).executeTakeFirst()
    if (row === undefined) throw noSuchReindex()
    return toReindex(trx, row)
  })
}

/**
 * Returns re-indexes, newest first.
 * @throws AppError `not_found` for the knowledge base
 */
export function listReindexes(ctx: Context, baseId: string, input: ListReindexes): Promise<{ data: Reindex[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    const query = trx.selectFrom('reindex').selectAll().where('base_id', '=', baseId)
    const page = pageOf(await newestFirst(query, 'reindex', input).execute(), input.limit)
    const data: Reindex[] = []
    for (const row of page.rows) data.push(await toReindex(trx, row))
    return { data, nextCursor: page.nextCursor }
  })
}

/**
 * Cancels a re-index; a job deletes its shadow index.
 * @throws AppError `not_found`, or `conflict` unless it is building or ready
 */
export function cancelReindex(ctx: Context, baseId: string, reindexId: string): Promise<Reindex> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    const row = await lockReindex(trx, baseId, reindexId)
    if (row.status !== 'building' && row.status !== 'ready')
      throw new AppError('conflict', `Only a re-index that is building or ready can be cancelled. This one is ${row.status}.`)
    return toReindex(trx, await cancelUnswitched(ctx, trx, reindexId))
  })
}

/** Cancels a re-index that is building or ready; the caller has locked it. */
export async function cancelUnswitched(ctx: Context, trx: Transaction, reindexId: string): Promise<ReindexRow> {
  const cancelled = await trx
    .updateTable('reindex')
    .set({ status: 'cancelled', updated_at: ctx.now() })
    .where('id', '=', reindexId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await enqueueDrop(ctx, trx, reindexId)
  await audit(ctx, trx, { action: 'reindex.cancelled', target: wireId('rix', reindexId) })
  return cancelled
}
