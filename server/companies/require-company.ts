import { wireId } from '@groundwork/api'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'

/**
 * Keeps the company from being deleted until the transaction ends; null needs none. Call it before the transaction locks a contact:
 * transactions with both lock the company first.
 * @throws AppError `validation_error`, field `companyId`, if it does not exist
 */
export async function requireCompany(trx: Transaction, companyId: string | null): Promise<void> {
  if (companyId === null) return
  const company = await trx
    .selectFrom('company')
    .select('id')
    .where('id', '=', companyId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (company !== undefined) return
  throw new AppError('validation_error', `companyId: there is no company ${wireId('co', companyId)}`, { field: 'companyId' })
}
