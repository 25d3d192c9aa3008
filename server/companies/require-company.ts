import { wireId } from '@groundwork/api'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { presentCompany } from './survivor.ts'

/**
 * Returns the id of the company, or of the one into which it was merged; null for null. Keeps it from being deleted until the transaction
 * ends. Call it before the transaction locks a contact: transactions with both lock the company first.
 * @throws AppError `validation_error`, field `companyId`, if it does not exist
 */
export async function requireCompany(trx: Transaction, companyId: string | null): Promise<string | null> {
  if (companyId === null) return null
  const company = await trx
    .selectFrom('company')
    .select('id')
    .where('id', '=', presentCompany(companyId))
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (company !== undefined) return company.id
  throw new AppError('validation_error', `companyId: there is no company ${wireId('co', companyId)}`, { field: 'companyId' })
}
