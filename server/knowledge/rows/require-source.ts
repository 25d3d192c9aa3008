import type { Selectable } from 'kysely'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'

/**
 * Returns the row of the source; `update` locks it until the transaction ends.
 * @throws AppError `not_found`
 */
export async function requireSource(trx: Transaction, baseId: string, sourceId: string, lock?: 'update'): Promise<Selectable<SourceTable>> {
  const query = selectSource(trx, baseId, sourceId)
  const row = await (lock === 'update' ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined) throw noSuchSource()
  return row
}

export const selectSource = (db: Transaction, baseId: string, sourceId: string) =>
  db.selectFrom('source').selectAll().where('id', '=', sourceId).where('base_id', '=', baseId)

export const noSuchSource = (): AppError => new AppError('not_found', 'There is no such source.', { field: 'sourceId' })
