import type { Contact, CreateContact, UpdateContact } from '@groundwork/api'
import { sql, type Insertable } from 'kysely'
import { ofSurvivor, requireNotMerged } from '../contact-merges/survivor.ts'
import { withTransaction, select, type Context } from '../context.ts'
import { checkedCustomFields } from '../custom-fields/values.ts'
import { changedColumns } from '../db/changed-columns.ts'
import { compiledStatement } from '../db/compiled-statement.ts'
import type { ContactTable, Transaction } from '../db/schema.ts'
import { requireCompany } from '../companies/require-company.ts'
import { violatedIndex } from '../db/violations.ts'
import { emit, emitMany } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { enqueueVoiding } from '../proposals/of-deleted-contact.ts'
import { newId } from '../lib/ids.ts'
import { recordChanges } from './changes.ts'
import { countryFor, givenColumns, noValues, requireIdentity, requireMember, withWarnings } from './given-columns.ts'
import { splitAgentWrite, isAgent, valueOrigins, requireHonestOrigin, requirePerson } from './agent-writes.ts'
import { enqueuePurge } from './purge.ts'
import { toContact } from './record.ts'
import { isRestorable } from './restorable.ts'
import { addSuggestions } from './suggestion-rows.ts'
import { changeContacts } from './write-many.ts'

const newContact = compiledStatement((db, row: Insertable<ContactTable>) => db.insertInto('contact').values(row).returningAll())

/**
 * Creates a contact.
 * @throws AppError `validation_error` if the contact has no email, phone or full name, the phone number is invalid or there is no such company;
 * `conflict` if the externalId is taken
 */
export function createContact(ctx: Context, input: CreateContact): Promise<Contact> {
  requireHonestOrigin(ctx, input.provenance)
  return withUniqueExternalId(ctx, async (trx) => {
    const now = ctx.now()
    const { columns, warnings } = givenColumns(input, await countryFor(trx, [input]))
    const given = { ...noValues, ...columns }
    requireIdentity(given)
    const customFields = await checkedCustomFields(trx, 'contact', input.customFields)
    const values = { ...given, company_id: await requireCompany(trx, given.company_id) }
    await requireMember(trx, values.owner_id)
    const insert = newContact({
      organization_id: ctx.organizationId,
      id: newId(now.getTime()),
      ...values,
      custom_fields: JSON.stringify(customFields({})),
      last_interaction_at: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    const [row] = (await trx.executeQuery(insert(trx).compile())).rows
    if (row === undefined) throw new Error('the contact was not inserted')
    const contact = toContact(row)
    await recordChanges(ctx, trx, [{ before: undefined, after: contact, origin: input.provenance }])
    await emit(ctx, trx, 'contact.created', contact)
    return withWarnings(contact, warnings)
  })
}

const storedContact = compiledStatement((db, { id }: { id: string }) =>
  db.selectFrom('contact').selectAll().where('id', '=', id).where('deleted_at', 'is', null),
)

/**
 * Returns the contact, or the one into which it was merged.
 * @throws AppError `not_found`
 */
export function getContact(ctx: Context, id: string): Promise<Contact> {
  return ofSurvivor(ctx, id, async (contactId) => {
    const [row] = await select(ctx, storedContact({ id: contactId }))
    if (row === undefined) throw noSuchContact()
    return toContact(row)
  })
}

/**
 * Changes the given fields; null clears one. A contact that has all values already is not changed: there is no event.
 * @throws AppError `not_found`; `conflict` if the externalId is taken; `validation_error` if the contact would have no email,
 * phone or full name, the phone number is invalid or there is no such company
 */
export function updateContact(ctx: Context, id: string, input: UpdateContact): Promise<Contact> {
  requireHonestOrigin(ctx, input.provenance)
  return withUniqueExternalId(ctx, async (trx) => {
    const customFields = await checkedCustomFields(trx, 'contact', input.customFields)
    const companyId = await requireCompany(trx, input.companyId ?? null)
    await requireMember(trx, input.ownerId ?? null)
    const before = await trx
      .selectFrom('contact')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) throw noSuchContact()
    const { columns, warnings } = givenColumns(input, await countryFor(trx, [input]), before)
    const wanted = {
      ...columns,
      ...(input.companyId !== undefined && { company_id: companyId }),
      ...(input.customFields !== undefined && { custom_fields: JSON.stringify(customFields(before.custom_fields)) }),
    }
    const { columns: written, suggested } = isAgent(ctx)
      ? splitAgentWrite(before, wanted, await valueOrigins(trx, [id]))
      : { columns: wanted, suggested: [] }
    const changed = changedColumns(before, written)
    requireIdentity({ ...before, ...changed })
    const isChanged = Object.keys(changed).length > 0
    const row = isChanged ? (await changeContacts(trx, [{ before, columns: changed }], ctx.now())).get(id) : before
    if (row === undefined) throw new Error('a locked contact was not changed')
    const contact = toContact(row)
    await recordChanges(ctx, trx, [{ before: toContact(before), after: contact, origin: input.provenance }])
    const { suggestions, created } = await addSuggestions(
      ctx,
      trx,
      suggested.map((value) => ({ ...value, origin: input.provenance })),
    )
    if (isChanged) await emit(ctx, trx, 'contact.updated', contact)
    await emitMany(ctx, trx, 'suggestion.created', created)
    return withWarnings(contact, warnings, suggestions)
  })
}

/**
 * Marks the contact as deleted and voids its pending proposals. `restoreContact` can undo the deletion for 30 days, but not the
 * voiding; then the contact is purged.
 * @throws AppError `not_found`; `forbidden` for an agent
 */
export async function deleteContact(ctx: Context, id: string): Promise<void> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const row = await trx
      .updateTable('contact')
      .set({ deleted_at: now })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw noSuchContact()
    await enqueuePurge(ctx, trx, id, now)
    await enqueueVoiding(ctx, trx, id)
    await emit(ctx, trx, 'contact.deleted', toContact(row))
  })
}

/**
 * Restores a deleted contact. Returns a contact that is not deleted unchanged, so a repeated call succeeds.
 * @throws AppError `not_found`, also after 30 days and for an erased contact; `conflict` if another contact has taken its externalId, or if
 * it was merged into another one; `forbidden` for an agent
 */
export async function restoreContact(ctx: Context, id: string): Promise<Contact> {
  requirePerson(ctx)
  return withUniqueExternalId(ctx, async (trx) => {
    const row = await trx
      .selectFrom('contact')
      .selectAll()
      .where('id', '=', id)
      .where(sql<boolean>`(deleted_at is null or ${isRestorable(ctx.now())})`)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw noSuchContact()
    const contact = toContact(row)
    if (row.deleted_at === null) return contact
    await requireNotMerged(trx, id)
    await trx.updateTable('contact').set({ deleted_at: null }).where('id', '=', id).execute()
    await emit(ctx, trx, 'contact.restored', contact)
    return contact
  })
}

const noSuchContact = (): AppError => new AppError('not_found', 'There is no such contact.')

/** Converts a violation of the unique index, since a check before the write would miss concurrent transactions. */
export async function withUniqueExternalId<T>(ctx: Context, fn: (trx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await withTransaction(ctx, fn)
  } catch (error) {
    if (violatedIndex(error) !== 'contact_external_id') throw error
    throw new AppError('conflict', 'Another contact has this externalId.', { field: 'externalId', cause: error })
  }
}
