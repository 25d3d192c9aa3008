import { maxListed, wireId, type UnmergeCompany, type UnmergedCompany } from '@groundwork/api'
import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import type { StoredCompanyMerge, Transaction } from '../db/schema.ts'
import { rememberDifferent } from '../duplicates/pairs.ts'
import { emit, emitProgress } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { valuesWithout, type Choices, type MergeStates } from '../lib/merging.ts'
import { claimDomains, namingConflicts, noSuchCompany, releaseDomains } from './companies.ts'
import { enqueueLinking } from './contacts-of-company.ts'
import { lockCompanies } from './merge.ts'
import { columnsOf, combined, valuesOf, withChanges, type CompanyValues } from './merged-values.ts'
import { toCompany, type CompanyRow } from './record.ts'

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
  const rows = await lockCompanies(trx, [id, mergedId, ...(await mergedIdsOf(trx, id))])
  const [survivor, merged] = [rows.get(id), rows.get(mergedId)]
  if (survivor === undefined || survivor.deleted_at !== null) throw noSuchCompany()
  const merge = merged?.merged_values
  if (merged === undefined || merged.deleted_at === null || !merge || !survivor.merged_ids.includes(mergedId)) {
    throw new AppError('validation_error', 'mergedId: there is no such merge, or it is older than 30 days', { field: 'mergedId' })
  }
  if (merged.merged_into !== null && merged.merged_into !== id) {
    const between = wireId('co', merged.merged_into)
    throw new AppError('conflict', `The company was merged into ${between}, which was merged later. Undo that merge first.`)
  }
  const returning = new Set([mergedId, ...merged.merged_ids])
  const { values, changed } = await renewedValues(trx, survivor, { mergedId, merge })
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
  await rememberDifferent(ctx, trx, 'company', [id, mergedId])
  await enqueueLinking(ctx, trx, mergedId)
  const [company, restored] = [toCompany(row), toCompany(former)]
  await emit(ctx, trx, 'company.unmerged', company)
  await emitProgress(ctx, trx, 'company.updated', restored)
  return { company, restored, keptFields: changed, keptContactIds: await contactsSince(trx, id, merged.deleted_at) }
}

async function mergedIdsOf(trx: Transaction, id: string): Promise<string[]> {
  const row = await trx.selectFrom('company').select('merged_ids').where('id', '=', id).executeTakeFirst()
  return row?.merged_ids ?? []
}

/** Returns the values of a company without a merge, and the names of the fields with later changes. Stores the later merges as they would have been. */
async function renewedValues(
  trx: Transaction,
  survivor: CompanyRow,
  { mergedId, merge }: { mergedId: string; merge: StoredCompanyMerge },
): Promise<{ values: CompanyValues; changed: string[] }> {
  // The ids are in the order of the merges.
  const laterIds = survivor.merged_ids.slice(survivor.merged_ids.indexOf(mergedId) + 1)
  const rows = await trx
    .selectFrom('company')
    .selectAll()
    .where(sql<boolean>`id = any (${laterIds}::uuid[])`)
    .where('merged_into', '=', survivor.id)
    .execute()
  const later = rows
    .toSorted((a, b) => laterIds.indexOf(a.id) - laterIds.indexOf(b.id))
    .flatMap((row) => (row.merged_values === null ? [] : [mergeOf(row.id, row, row.merged_values)]))
  const result = valuesWithout(statesOf(merge), later, valuesOf(survivor), withChanges)
  for (const { id, before, after, choices } of result.later) {
    await trx
      .updateTable('company')
      .set({ merged_values: JSON.stringify({ before, after, choices }) })
      .where('id', '=', id)
      .execute()
  }
  return result
}

function mergeOf(id: string, row: CompanyRow, merge: StoredCompanyMerge) {
  const choices = (merge.choices ?? {}) as Choices
  return { id, choices, ...statesOf(merge), combine: (values: CompanyValues) => combined(values, valuesOf(row), choices).values }
}

/** A merge is stored with values. */
const statesOf = ({ before, after }: StoredCompanyMerge) => ({ before, after }) as MergeStates<CompanyValues>

/** Returns the contacts that belong to the company since the time, by their own change, newest first. */
async function contactsSince(trx: Transaction, companyId: string, since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from contact, lateral (
      select max(created_at) as at from contact_change where contact_id = contact.id and changed ? 'companyId'
    ) as change
    where company_id = ${companyId}::uuid and former_company_id is null and deleted_at is null and at >= ${since}
    order by at desc, id desc limit ${maxListed}`.execute(trx)
  return rows.map(({ id }) => wireId('ctc', id))
}
