import { ReindexSettings, wireId } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { BaseTable, ReindexSourceTable, ReindexTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { noBase } from '../bases/bases.ts'

export type ReindexRow = Selectable<ReindexTable>
export type ReindexSourceRow = Selectable<ReindexSourceTable>

/** Whether sources are still built or switched for it. */
export const isOpen = ({ status, kept_until }: Pick<ReindexRow, 'status' | 'kept_until'>): boolean =>
  status === 'building' || status === 'ready' || (status === 'switched' && kept_until !== null)

export const settingsOf = (stored: unknown): ReindexSettings => ReindexSettings.parse(stored)

/** How sources are cut, as settings of bases and of re-indexes name it. */
export type Chunking = Pick<ReindexSettings, 'chunkingStrategy' | 'chunkSize' | 'chunkOverlap'>

export const chunkingIn = ({ chunkingStrategy, chunkSize, chunkOverlap }: Chunking): Chunking => ({
  chunkingStrategy,
  chunkSize,
  chunkOverlap,
})

/**
 * Holds the sources of the base, and the base, until the transaction ends: none is deleted or completed meanwhile. Whoever
 * locks more than one of them goes by this order: sources, base, re-index, its sources. Nothing stronger is taken than
 * what keeps others from changing them, since every row that refers to one of them shares its key.
 * @throws AppError `not_found`
 */
export async function holdBase(trx: Transaction, baseId: string): Promise<Selectable<BaseTable>> {
  await trx.selectFrom('source').select('id').where('base_id', '=', baseId).orderBy('id').forNoKeyUpdate().execute()
  const row = await trx.selectFrom('base').selectAll().where('id', '=', baseId).forNoKeyUpdate().executeTakeFirst()
  if (row === undefined) throw noBase()
  return row
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

/** The base's re-index that is building or ready, of which it has one at most, held until the transaction ends. */
export function holdUnswitched(trx: Transaction, baseId: string): Promise<ReindexRow | undefined> {
  return trx
    .selectFrom('reindex')
    .selectAll()
    .where('base_id', '=', baseId)
    .where('status', 'in', ['building', 'ready'])
    .forUpdate()
    .executeTakeFirst()
}

export const standsInTheWay = ({ id, status }: ReindexRow): AppError =>
  new AppError('conflict', `the re-index ${wireId('rix', id)} is ${status}: switch to it or cancel it first`)

export const noSuchReindex = (): AppError => new AppError('not_found', 'there is no such re-index', { field: 'reindexId' })
