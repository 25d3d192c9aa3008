import { wireId, type UnmergeCompany, type UnmergedCompany } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import type { Transaction } from '../db/schema.ts'
import { emit, emitProgress } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { claimDomains, namingConflicts, noSuchCompany, releaseDomains } from './companies.ts'
import { enqueueLinking } from './contacts-of-company.ts'
import { lockCompanies } from './merge.ts'
import { columnsOf, valuesOf, withChanges, type CompanyValues } from './merged-values.ts'
import { toCompany } from './record.ts'

/**
 * Undoes a merge: both companies get back their values, and a job gives the other one its contacts. Changes since stay.
 * @throws AppError `not_found`; `validation_error`, field `mergedId`, also 30 days after the merge; `conflict` if the company was merged
 * indirectly, or if an externalId or a domain is taken; `forbidden` for an agent
 */
export async function unmergeCompany(ctx: Context, id: string, { mergedId }: UnmergeCompany): Promise<UnmergedCompany> {
  requirePerson(ctx)
  return namingConflicts(() => withTransaction(ctx, (trx) => unmergeIn(ctx, trx, id, mergedId)))
}

async function unmergeIn(ctx: Context, trx: Transaction, id: string, mergedId: string): Promise<UnmergedCompany> {
  const rows = await lockCompanies(trx, [id, mergedId])
  const [survivor, merged] = [rows.get(id), rows.get(mergedId)]
  if (survivor === undefined || survivor.deleted_at !== null) throw noSuchCompany()
  const merge = merged?.merged_values
  if (merged === undefined || !merge || !survivor.merged_ids.includes(mergedId)) {
    throw new AppError('validation_error', 'mergedId: there is no such merge, or it is older than 30 days', { field: 'mergedId' })
  }
  if (merged.merged_into !== null && merged.merged_into !== id) {
    const between = wireId('co', merged.merged_into)
    throw new AppError('conflict', `The company was merged into ${between}, which was merged later. Undo that merge first.`)
  }
  const returning = new Set([mergedId, ...merged.merged_ids])
  const { values, changed } = withChanges(merge.before as CompanyValues, merge.after as CompanyValues, valuesOf(survivor))
  await releaseDomains(trx, id)
  const row = await trx
    .updateTable('company')
    .set({ ...columnsOf(values), merged_ids: survivor.merged_ids.filter((each) => !returning.has(each)), updated_at: ctx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const former = await trx
    .updateTable('company')
    .set({ deleted_at: null, merged_into: null, merged_values: null })
    .where('id', '=', mergedId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await claimDomains(ctx, trx, [row, former])
  await enqueueLinking(ctx, trx, mergedId)
  const [company, restored] = [toCompany(row), toCompany(former)]
  await emit(ctx, trx, 'company.unmerged', company)
  await emitProgress(ctx, trx, 'company.updated', restored)
  return { company, restored, keptFields: changed }
}
