import { wireId } from '@groundwork/api'
import { sql } from 'kysely'
import type { Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'

/** @throws AppError `validation_error` for the first knowledge base that does not exist */
export async function requireBases(trx: Transaction, baseIds: readonly string[]): Promise<void> {
  const rows = await trx
    .selectFrom('base')
    .select('id')
    .where(sql<boolean>`id = any(${baseIds}::uuid[])`)
    .execute()
  requireAll(baseIds, rows)
}

/** @throws the same if `found` lacks one of them */
export function requireAll(baseIds: readonly string[], found: readonly { readonly id: string }[]): void {
  const missing = baseIds.find((id) => !found.some((base) => base.id === id))
  if (missing !== undefined)
    throw new AppError('validation_error', `baseIds names ${wireId('kb', missing)}, which does not exist`, { field: 'baseIds' })
}
