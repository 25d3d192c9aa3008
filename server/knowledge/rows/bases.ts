import { wireId, type Base } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import type { BaseTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { LanguageModel } from './language-warnings.ts'
import { toBase, withStats } from './base-record.ts'

/**
 * Locks and returns the row of the knowledge base: `share` prevents its deletion, `update` also changes.
 * @throws AppError `not_found`
 */
export async function lockBase(trx: Transaction, baseId: string, strength: 'share' | 'update'): Promise<Selectable<BaseTable>> {
  const query = trx.selectFrom('base').selectAll().where('id', '=', baseId)
  const row = await (strength === 'share' ? query.forKeyShare() : query.forUpdate()).executeTakeFirst()
  if (row === undefined) throw noBase()
  return row
}

/** @throws AppError `not_found` */
export async function requireBase(trx: Transaction, baseId: string): Promise<Selectable<BaseTable>> {
  const row = await trx.selectFrom('base').selectAll().where('id', '=', baseId).executeTakeFirst()
  if (row === undefined) throw noBase()
  return row
}

export const noBase = (): AppError => new AppError('not_found', 'There is no such knowledge base.', { field: 'baseId' })

/** @throws AppError `not_found` */
export async function readBase({ embedder }: { readonly embedder: LanguageModel }, trx: Transaction, baseId: string): Promise<Base> {
  const row = await withStats(trx).where('base.id', '=', baseId).executeTakeFirst()
  if (row === undefined) throw noBase()
  return toBase(row, embedder)
}

/** @throws AppError `validation_error` for the first knowledge base that does not exist */
export async function requireBases(trx: Transaction, baseIds: readonly string[]): Promise<void> {
  const rows = await trx
    .selectFrom('base')
    .select('id')
    .where(sql<boolean>`id = any(${baseIds}::uuid[])`)
    .execute()
  requireAll(baseIds, rows)
}

/** Does the same for rows that were read. */
export function requireAll(baseIds: readonly string[], found: readonly { readonly id: string }[]): void {
  const missing = baseIds.find((id) => !found.some((base) => base.id === id))
  if (missing !== undefined)
    throw new AppError('validation_error', `baseIds names ${wireId('kb', missing)}, which does not exist`, { field: 'baseIds' })
}
