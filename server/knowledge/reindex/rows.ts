import type { ReindexSettings } from '@groundwork/api'
import { ReindexSettings as SettingsSchema } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { ReindexSourceTable, ReindexTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { lockBase } from '../bases/bases.ts'

export type ReindexRow = Selectable<ReindexTable>
export type ReindexSourceRow = Selectable<ReindexSourceTable>

/** Whether sources are still built or switched for it. */
export const isOpen = ({ status, kept_until }: Pick<ReindexRow, 'status' | 'kept_until'>): boolean =>
  status === 'building' || status === 'ready' || (status === 'switched' && kept_until !== null)

export const settingsOf = (stored: unknown): ReindexSettings => SettingsSchema.parse(stored)

/**
 * Holds the base and its sources until the transaction ends: none is added, deleted or completed meanwhile. Whoever locks
 * more than one of them goes by this order: base, sources, re-index, its sources.
 * @throws AppError `not_found`
 */
export async function holdBase(trx: Transaction, baseId: string) {
  const base = await lockBase(trx, baseId, 'update')
  await trx.selectFrom('source').select('id').where('base_id', '=', baseId).orderBy('id').forUpdate().execute()
  return base
}

/**
 * The re-index, held until the transaction ends.
 * @throws AppError `not_found`
 */
export async function holdReindex(trx: Transaction, baseId: string, reindexId: string): Promise<ReindexRow> {
  const row = await trx
    .selectFrom('reindex')
    .selectAll()
    .where('id', '=', reindexId)
    .where('base_id', '=', baseId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw noSuchReindex()
  return row
}

export const noSuchReindex = (): AppError => new AppError('not_found', 'there is no such re-index', { field: 'reindexId' })
