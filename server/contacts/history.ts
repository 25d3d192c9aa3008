import {
  wireId,
  type AuditAction,
  type Contact,
  type ContactChange,
  type ContactHistory,
  type HistoryField,
  type RevertContact,
  type VerifyContact,
} from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { actorName, toActor } from '../audit/actor.ts'
import { audit } from '../audit/audit.ts'
import { requireCompany } from '../companies/require-company.ts'
import { withTransaction, type Context } from '../context.ts'
import { formerCustomValues } from '../custom-fields/former-values.ts'
import { checkedCustomFields } from '../custom-fields/values.ts'
import { changedColumns } from '../db/changed-columns.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { ContactChangeTable, Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { isUndoneMerge, recordChanges, type RecordedChange } from './changes.ts'
import { withUniqueExternalId } from './contacts.ts'
import { requireIdentity, requireMember } from './given-columns.ts'
import { requirePerson } from './agent-writes.ts'
import { columnsOfValues, customValuesOf, rawId, type FormerValues } from './history-columns.ts'
import { lockContact, requireContact } from './lock.ts'
import { toContact, type ContactRow } from './record.ts'
import { changeContacts } from './write-many.ts'

/**
 * Lists the changes of a contact, newest first.
 * @throws AppError `not_found`, or `bad_request`, field `cursor`
 */
export function contactHistory(
  ctx: Context,
  id: string,
  input: ContactHistory,
): Promise<{ data: ContactChange[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireContact(trx, id)
    const changes = shownChanges(trx).where('contact_id', '=', id)
    const { field } = input
    const ofField = field === undefined ? changes : changes.where(sql<boolean>`(changed ? ${field} or ${field} = any (verified))`)
    const { rows, nextCursor } = pageOf(await newestFirst(ofField, 'contact_change', input).execute(), input.limit)
    return { data: rows.map((row) => toChange(row, field)), nextCursor }
  })
}

/** Selects changes with the names of their authors. */
const shownChanges = (trx: Transaction) =>
  trx.selectFrom('contact_change').selectAll('contact_change').select(actorName('contact_change').as('actor_name'))

/** Returns all changes of the contacts, and those of other contacts by merges with them that were undone, newest first. */
export async function changesOf(trx: Transaction, contactIds: readonly string[]): Promise<ContactChange[]> {
  const rows = await shownChanges(trx)
    .where((of) => of.or([of('contact_id', 'in', contactIds), isUndoneMerge(contactIds)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => toChange(row, undefined))
}

function toChange(row: Selectable<ContactChangeTable> & { actor_name: string | null }, only: HistoryField | undefined): ContactChange {
  const isShown = (field: string): boolean => only === undefined || field === only
  return {
    id: wireId('chg', row.id),
    contactId: wireId('ctc', row.contact_id),
    how: row.how,
    reference: row.reference,
    changes: Object.keys(row.changed)
      .filter(isShown)
      .map((field) => ({ field, from: row.former?.[field] ?? null, to: row.changed[field] ?? null })),
    verified: (row.verified ?? []).filter(isShown),
    createdBy: toActor(row),
    createdAt: row.created_at.toISOString(),
  }
}

/**
 * Records that the values of the fields were confirmed.
 * @throws AppError `not_found`; `forbidden` for an agent
 */
export function verifyContact(ctx: Context, id: string, { fields }: VerifyContact): Promise<Contact> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    const contact = toContact(await lockContact(trx, id))
    await recordChanges(ctx, trx, [{ before: contact, after: contact, origin: { how: 'verified' }, verified: fields }])
    await audit(ctx, trx, { action: 'contact.verified', target: contact.id })
    return contact
  })
}

/**
 * Gives each field the value before its latest change.
 * @throws AppError `not_found`; `forbidden` for an agent; `conflict` if a field has no change, if another contact has the externalId or if the contact changes at
 * the same time; `validation_error` if the contact would have no email, phone or full name, or if a company, member or custom field of
 * the former value does not exist any more
 */
export function revertContact(ctx: Context, id: string, { fields }: RevertContact): Promise<Contact> {
  requirePerson(ctx)
  return withUniqueExternalId(ctx, async (trx) => {
    await requireContact(trx, id)
    const former = await formerValues(trx, id, fields)
    const values = await lockReferences(trx, former)
    const before = await lockContact(trx, id)
    if (!isDeepStrictEqual(await formerValues(trx, id, fields), former)) {
      throw new AppError('conflict', 'The contact changed at the same time. Repeat the request.')
    }
    return applyValues(ctx, trx, before, values, { origin: { how: 'reverted' } })
  })
}

interface AppliedValues extends Pick<RecordedChange, 'origin' | 'verified'> {
  /** `contact.updated` by default. */
  readonly action?: AuditAction
}

/**
 * Gives a locked contact values as the history has them.
 * @throws AppError `validation_error` if the contact would have no email, phone or full name
 */
export async function applyValues(
  ctx: Context,
  trx: Transaction,
  before: ContactRow,
  values: FormerValues,
  { origin, verified, action = 'contact.updated' }: AppliedValues,
): Promise<Contact> {
  const former = toContact(before)
  const columns = changedColumns(before, columnsOfValues(values, before))
  const isChanged = Object.keys(columns).length > 0
  requireIdentity({ ...before, ...columns })
  const row = isChanged ? (await changeContacts(trx, [{ before, columns }], ctx.now())).get(before.id) : before
  if (row === undefined) throw new Error('a locked contact was not changed')
  const contact = toContact(row)
  await recordChanges(ctx, trx, [{ before: former, after: contact, origin, ...(verified && { verified }) }])
  if (isChanged) await emit(ctx, trx, 'contact.updated', contact, action)
  else if (action !== 'contact.updated') await audit(ctx, trx, { action, target: contact.id })
  return contact
}

/**
 * Locks the records that values refer to. Call it before the transaction locks the contact.
 * @returns the values, with the company into which theirs was merged
 */
export async function lockReferences(trx: Transaction, values: FormerValues): Promise<FormerValues> {
  const custom = customValuesOf(values)
  if (Object.keys(custom).length > 0) (await checkedCustomFields(trx, 'contact', custom))({})
  const companyId = await requireCompany(trx, rawId(values.companyId))
  await requireMember(trx, rawId(values.ownerId))
  return companyId === null ? values : { ...values, companyId: wireId('co', companyId) }
}

/** @throws AppError `conflict` if a field has no change; `validation_error` if a custom field does not accept the former value any more */
async function formerValues(trx: Transaction, id: string, fields: readonly HistoryField[]): Promise<FormerValues> {
  const { rows } = await sql<{ field: HistoryField; value: unknown }>`
    select distinct on (field) field, former -> field as value
    from unnest(${fields}::text[]) as field join contact_change on contact_id = ${id} and changed ? field
    order by field, position desc`.execute(trx)
  const missing = fields.find((field) => rows.every((row) => row.field !== field))
  if (missing !== undefined) throw new AppError('conflict', `${missing} has no change that can be reverted`, { field: missing })
  return presentTypes(trx, Object.fromEntries(rows.map(({ field, value }) => [field, value])))
}

/**
 * Returns values as the history has them in the present types of their custom fields.
 * @throws AppError `validation_error` if a custom field does not accept a value any more
 */
export async function presentTypes(trx: Transaction, values: FormerValues): Promise<FormerValues> {
  const former = await formerCustomValues(trx, [values])
  const converted = former.converted(values)
  former.requireFitting(converted)
  return converted
}
