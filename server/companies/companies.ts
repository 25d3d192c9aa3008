import { wireId, type Company, type CreateCompany, type UpdateCompany } from '@groundwork/api'
import { sql } from 'kysely'
import { select, withTransaction, type Context } from '../context.ts'
import { requireAdditions, requirePerson } from '../contacts/agent-writes.ts'
import { normalizePhone } from '../contacts/phones.ts'
import { checkedCustomFields } from '../custom-fields/values.ts'
import { changedColumns, isEmpty } from '../db/changed-columns.ts'
import { compiledStatement } from '../db/compiled-statement.ts'
import type { StoredAddress, Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import { emit } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { restorableSince } from '../lib/restorable.ts'
import { enqueueLinking } from './contacts-of-company.ts'
import { enqueuePurge } from './purge.ts'
import { toCompany } from './record.ts'
import { presentCompany } from './survivor.ts'

/**
 * Creates a company.
 * @throws AppError `validation_error` if the phone number is invalid; `conflict` if the externalId or a domain is taken
 */
export function createCompany(ctx: Context, input: CreateCompany): Promise<Company> {
  return withUniqueFields(ctx, async (trx) => {
    const now = ctx.now()
    const customFields = await checkedCustomFields(trx, 'company', input.customFields)
    const row = await trx
      .insertInto('company')
      .values({
        organization_id: ctx.organizationId,
        id: newId(now.getTime()),
        external_id: input.externalId ?? null,
        name: input.name,
        domains: input.domains ?? [],
        phone: toStoredPhone(input.phone) ?? null,
        address: storedAddress(input.address) ?? null,
        vat_id: input.vatId ?? null,
        tags: input.tags ?? [],
        custom_fields: JSON.stringify(customFields({})),
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await claimDomains(ctx, trx, [row])
    const company = toCompany(row)
    await emit(ctx, trx, 'company.created', company)
    return company
  })
}

const storedCompany = compiledStatement((db, { id }: { id: string }) =>
  db.selectFrom('company').selectAll().where('id', '=', presentCompany(id)).where('deleted_at', 'is', null),
)

/**
 * Returns the company, or the one into which it was merged.
 * @throws AppError `not_found`
 */
export async function getCompany(ctx: Context, id: string): Promise<Company> {
  const [row] = await select(ctx, storedCompany({ id }))
  if (row === undefined) throw noSuchCompany()
  return toCompany(row)
}

/**
 * Changes the given fields of the company, or of the one into which it was merged; null clears one. A company that has all values
 * already is not changed: there is no event.
 * @throws AppError `not_found`; `conflict` if the externalId or a domain is taken; `validation_error` if the phone number is invalid;
 * `forbidden` for an agent that would replace or clear a value
 */
export function updateCompany(ctx: Context, companyId: string, input: UpdateCompany): Promise<Company> {
  return withUniqueFields(ctx, async (trx) => {
    const customFields = await checkedCustomFields(trx, 'company', input.customFields)
    const before = await trx
      .selectFrom('company')
      .selectAll()
      .where('id', '=', presentCompany(companyId))
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) throw noSuchCompany()
    const { id } = before
    const domains = input.domains === undefined ? undefined : (input.domains ?? [])
    const changed = changedColumns(before, {
      ...(input.externalId !== undefined && { external_id: input.externalId }),
      ...(input.name !== undefined && { name: input.name }),
      ...(domains !== undefined && { domains }),
      ...(input.phone !== undefined && { phone: input.phone === before.phone ? before.phone : toStoredPhone(input.phone) }),
      ...(input.address !== undefined && { address: storedAddress(input.address) ?? null }),
      ...(input.vatId !== undefined && { vat_id: input.vatId }),
      ...(input.tags !== undefined && { tags: input.tags ?? [] }),
      ...(input.customFields !== undefined && { custom_fields: JSON.stringify(customFields(before.custom_fields)) }),
    })
    if (isEmpty(changed)) return toCompany(before)
    const row = await trx
      .updateTable('company')
      .set({ ...changed, updated_at: ctx.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (domains !== undefined && 'domains' in changed) {
      await releaseDomains(trx, id)
      await claimDomains(ctx, trx, [{ id, domains }])
    }
    const company = toCompany(row)
    requireAdditions(ctx, { ...toCompany(before) }, { ...company })
    await emit(ctx, trx, 'company.updated', company)
    return company
  })
}

/**
 * Marks the company as deleted, and takes it from its contacts in a job. `restoreCompany` can undo both for 30 days; then the company
 * is purged.
 * @throws AppError `not_found`; `forbidden` for an agent
 */
export async function deleteCompany(ctx: Context, id: string): Promise<void> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const row = await trx
      .updateTable('company')
      .set({ deleted_at: now })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw noSuchCompany()
    await releaseDomains(trx, id)
    await enqueuePurge(ctx, trx, id, now)
    await enqueueLinking(ctx, trx, id)
    await emit(ctx, trx, 'company.deleted', toCompany(row))
  })
}

/**
 * Restores a deleted company. Returns a company that is not deleted unchanged, so a repeated call succeeds.
 * @throws AppError `not_found`, also after 30 days; `conflict` if another company has taken its externalId or a domain, or if it was merged;
 * `forbidden` for an agent
 */
export async function restoreCompany(ctx: Context, id: string): Promise<Company> {
  requirePerson(ctx)
  return withUniqueFields(ctx, async (trx) => {
    const oldest = restorableSince(ctx.now())
    const row = await trx
      .selectFrom('company')
      .selectAll()
      .where('id', '=', id)
      .where(sql<boolean>`(deleted_at is null or deleted_at > ${oldest})`)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw noSuchCompany()
    const company = toCompany(row)
    if (row.deleted_at === null) return company
    if (row.merged_into !== null) throw new AppError('conflict', `The company was merged into ${wireId('co', row.merged_into)}.`)
    await trx.updateTable('company').set({ deleted_at: null }).where('id', '=', id).execute()
    await claimDomains(ctx, trx, [row])
    await enqueueLinking(ctx, trx, id)
    await emit(ctx, trx, 'company.updated', company, 'company.restored')
    return company
  })
}

const toStoredPhone = <P extends string | null | undefined>(phone: P) =>
  typeof phone === 'string' ? normalizePhone(phone, null, 'phone').value : phone

/** Returns the address with null for its unknown parts; null for an address without any part. */
function storedAddress(address: CreateCompany['address']): string | null | undefined {
  if (address === null || address === undefined) return address
  const { line1 = null, line2 = null, city = null, region = null, postalCode = null, country = null } = address
  const stored: StoredAddress = { line1, line2, city, region, postalCode, country }
  return Object.values(stored).every((part) => part === null) ? null : JSON.stringify(stored)
}

export const noSuchCompany = (): AppError => new AppError('not_found', 'There is no such company.')

/** Gives companies their domains. */
export async function claimDomains(
  { organizationId }: Context,
  trx: Transaction,
  companies: readonly { id: string; domains: readonly string[] }[],
): Promise<void> {
  // In order, so that two transactions with the same domains cannot wait for each other.
  const rows = companies
    .flatMap(({ id, domains }) => domains.map((domain) => ({ organization_id: organizationId, domain, company_id: id })))
    .toSorted((a, b) => (a.domain < b.domain ? -1 : 1))
  if (rows.length > 0) await trx.insertInto('company_domain').values(rows).execute()
}

export async function releaseDomains(trx: Transaction, companyId: string): Promise<void> {
  await trx.deleteFrom('company_domain').where('company_id', '=', companyId).execute()
}

const conflicts = new Map([
  ['company_external_id', { field: 'externalId', message: 'Another company has this externalId.' }],
  ['company_domain_pkey', { field: 'domains', message: 'Another company has one of these domains.' }],
])

/** Converts violations of unique indexes, since a check before the write would miss concurrent transactions. */
export async function namingConflicts<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    const conflict = conflicts.get(violatedIndex(cause) ?? '')
    if (conflict === undefined) throw cause
    throw new AppError('conflict', conflict.message, { field: conflict.field, cause })
  }
}

const withUniqueFields = <T>(ctx: Context, fn: (trx: Transaction) => Promise<T>): Promise<T> =>
  namingConflicts(() => withTransaction(ctx, fn))
