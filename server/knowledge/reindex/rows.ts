import { ReindexSettings, wireId } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { BaseTable, ReindexSourceTable, ReindexTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { noBase } from '../rows/bases.ts'

export type ReindexRow = Selectable<ReindexTable>
export type ReindexSourceRow = Selectable<ReindexSourceTable>

/** Returns whether sources are still built or switched for the re-index. */
export const isOpen = ({ status, kept_until }: Pick<ReindexRow, 'status' | 'kept_until'>): boolean =>
  status === 'building' || status === 'ready' || (status === 'switched' && kept_until !== null)

export const settingsOf = (stored: unknown): ReindexSettings => ReindexSettings.parse(stored)

/** The chunking settings of knowledge bases and re-indexes. */
export type Chunking = Pick<ReindexSettings, 'chunkingStrategy' | 'chunkSize' | 'chunkOverlap'>

export const chunkingIn = ({ chunkingStrategy, chunkSize, chunkOverlap }: Chunking): Chunking => ({
  chunkingStrategy,
  chunkSize,
  chunkOverlap,
})

/**
 * Locks the sources of the knowledge base, then the knowledge base, until the transaction ends: none can be deleted or
 * completed meanwhile. Lock order: sources, knowledge base, re-index, its sources. The locks exclude changes only, since rows
 * that refer to one of them share its key.
 * @throws AppError `not_found`
 */
export async function lockBaseForReindex(trx: Transaction, baseId: string): Promise<Selectable<BaseTable>> {
  await trx.selectFrom('source').select('id').where('base_id', '=', baseId).orderBy('id').forNoKeyUpdate().execute()
  const row = await trx.selectFrom('base').selectAll().where('id', '=', baseId).forNoKeyUpdate().executeTakeFirst()
  if (row === undefined) throw noBase()
  return row
}

/**
 * Locks and returns the re-index.
 * @throws AppError `not_found`
 */
export async function lockReindex(trx: Transaction, baseId: string, reindexId: string): Promise<ReindexRow> {
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

/** Locks and returns the only re-index of the knowledge base that is building or ready, if any. */
export function lockUnswitchedReindex(trx: Transaction, baseId: string): Promise<ReindexRow | undefined> {
  return trx
    .selectFrom('reindex')
    .selectAll()
    .where('base_id', '=', baseId)
    .where('status', 'in', ['building', 'ready'])
    .forUpdate()
    .executeTakeFirst()
}

export const blocksReindex = ({ id, status }: ReindexRow): AppError =>
  new AppError('conflict', `The re-index ${wireId('rix', id)} is ${status}. Switch to it or cancel it first.`)

export const noSuchReindex = (): AppError => new AppError('not_found', 'There is no such re-index.', { field: 'reindexId' })
