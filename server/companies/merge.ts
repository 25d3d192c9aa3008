import { wireId, type MergeCompanies, type MergedCompany } from '@groundwork/api'
import { withDryRun, type Context } from '../context.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import type { Transaction } from '../db/schema.ts'
import { moveDismissedPairs } from '../duplicates/pairs.ts'
import { emit } from '../events/emit.ts'
import { choicesOf, othersIn, requireChoices, type Choices } from '../lib/merging.ts'
import { claimDomains, namingConflicts, noSuchCompany, releaseDomains } from './companies.ts'
import { enqueueLinking } from './contacts-of-company.ts'
import { columnsOf, combined, valuesOf } from './merged-values.ts'
import { enqueuePurge } from './purge.ts'
import { toCompany, type CompanyRow } from './record.ts'

/**
 * Merges companies into one, in one transaction; a job moves their contacts. A dry run does the same and rolls it back.
 * @throws AppError `not_found`; `validation_error`, field `otherIds` or that of a choice; `forbidden` for an agent
 */
export async function mergeCompanies(ctx: Context, id: string, input: MergeCompanies): Promise<MergedCompany> {
  requirePerson(ctx)
  return namingConflicts(() => withDryRun(ctx, input.dryRun ?? false, (trx) => mergeIn(ctx, trx, id, input)))
}

async function mergeIn(ctx: Context, trx: Transaction, id: string, input: MergeCompanies): Promise<MergedCompany> {
  const otherIds = [...new Set(input.otherIds)]
  const rows = await lockCompanies(trx, [id, ...otherIds])
  let survivor = rows.get(id)
  if (survivor === undefined || survivor.deleted_at !== null) throw noSuchCompany()
  requireChoices(id, input, ['company', 'companies'])
  const others = othersIn(rows, { otherIds, mergedIds: survivor.merged_ids, nameOf: (otherId) => `company ${wireId('co', otherId)}` })
  const contacts = await countContacts(
    trx,
    others.map((other) => other.id),
  )
  const omitted: MergedCompany['omitted'] = []
  for (const other of others) {
    const merged = await mergeOne(ctx, trx, survivor, other, choicesOf(input, other.id))
    survivor = merged.survivor
    omitted.push(...merged.omitted)
  }
  const company = toCompany(survivor)
  if (others.length > 0) await emit(ctx, trx, 'company.merged', company)
  return { dryRun: input.dryRun ?? false, company, contacts, omitted }
}

/** Locks companies in the order of their ids, also deleted ones. */
export async function lockCompanies(trx: Transaction, ids: readonly string[]): Promise<Map<string, CompanyRow>> {
  const rows = await trx
    .selectFrom('company')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function countContacts(trx: Transaction, companyIds: readonly string[]): Promise<number> {
  if (companyIds.length === 0) return 0
  const { count } = await trx
    .selectFrom('contact')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('company_id', 'in', [...companyIds])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

async function mergeOne(ctx: Context, trx: Transaction, survivor: CompanyRow, other: CompanyRow, choices: Choices) {
  const now = ctx.now()
  const before = valuesOf(survivor)
  const { values, omitted } = combined(before, valuesOf(other), choices)
  // The externalId is unique among companies that are not deleted.
  await trx
    .updateTable('company')
    .set({ deleted_at: now, merged_into: survivor.id, merged_values: JSON.stringify({ before, after: values, choices }) })
    .where('id', '=', other.id)
    .execute()
  const row = await trx
    .updateTable('company')
    .set({ ...columnsOf(values), merged_ids: [...survivor.merged_ids, other.id, ...other.merged_ids], updated_at: now })
    .where('id', '=', survivor.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const id of [survivor.id, other.id]) await releaseDomains(trx, id)
  await claimDomains(ctx, trx, [row])
  await moveDismissedPairs(ctx, trx, 'company', { from: other.id, to: survivor.id })
  await enqueuePurge(ctx, trx, other.id, now)
  await enqueueLinking(ctx, trx, other.id)
  return { survivor: row, omitted }
}
