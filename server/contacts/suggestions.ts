import {
  maxContactEntries,
  maxTags,
  wireId,
  type Contact,
  type ContactSuggestion,
  type HistoryField,
  type ListSuggestions,
} from '@groundwork/api'
import type { Selectable } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { ContactSuggestionTable, Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { withUniqueExternalId } from './contacts.ts'
import { requirePerson } from './agent-writes.ts'
import { valuesOf } from './changes.ts'
import { applyValues, lockReferences, presentTypes } from './history.ts'
import { withSuggested } from './list-values.ts'
import { lockContact, requireContact } from './lock.ts'
import { toContact } from './record.ts'
import { shownSuggestions, toSuggestion } from './suggestion-rows.ts'

/**
 * Lists the suggestions for a contact, newest first.
 * @throws AppError `not_found`, or `bad_request`, field `cursor`
 */
export function listSuggestions(
  ctx: Context,
  contactId: string,
  input: ListSuggestions,
): Promise<{ data: ContactSuggestion[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireContact(trx, contactId)
    let query = shownSuggestions(trx).where('contact_id', '=', contactId)
    if (input.status !== undefined) query = query.where('status', '=', input.status)
    const { rows, nextCursor } = pageOf(await newestFirst(query, 'contact_suggestion', input).execute(), input.limit)
    return { data: rows.map(toSuggestion), nextCursor }
  })
}

/**
 * Gives the field the suggested value, which counts as verified. A list keeps the entries that were added since the suggestion.
 * @throws AppError `not_found`; `forbidden` for an agent; `conflict` if the suggestion is not pending, another contact has the
 * externalId, or a list would have too many entries; `validation_error` if the contact would have no email, phone or full name, or if a
 * company, member or custom field of the value does not exist any more
 */
export function acceptSuggestion(ctx: Context, contactId: string, suggestionId: string): Promise<Contact> {
  requirePerson(ctx)
  return withUniqueExternalId(ctx, async (trx) => {
    await requireContact(trx, contactId)
    const suggestion = await requireSuggestion(trx, contactId, suggestionId)
    const { field, how, reference } = suggestion
    const suggested = await lockReferences(trx, await presentTypes(trx, { [field]: suggestion.value }))
    const before = await lockContact(trx, contactId)
    const { status } = await requireSuggestion(trx, contactId, suggestionId)
    if (status !== 'pending') throw new AppError('conflict', `The suggestion was ${status}.`)
    await decide(ctx, trx, suggestionId, 'accepted')
    // Safe cast: only fields of the history are suggested.
    const verified = [field as HistoryField]
    const values = { [field]: acceptedValue({ ...suggestion, value: Object.values(suggested)[0] }, toContact(before)) }
    return applyValues(ctx, trx, before, values, { origin: { how, reference }, verified, action: 'suggestion.accepted' })
  })
}

/** Returns the suggested value, of a list with what others have changed since. */
function acceptedValue({ field, value, present }: Selectable<ContactSuggestionTable>, contact: Contact): unknown {
  const now = valuesOf(contact)[field] ?? []
  if (!Array.isArray(value) || !Array.isArray(present) || !Array.isArray(now)) return value
  const joined = withSuggested(field, now, present, value)
  const max = maxEntries[field] ?? Infinity
  if (joined.length <= max) return joined
  throw new AppError('conflict', `${field} would have more than ${max} entries. Remove some of them first.`, { field })
}

const maxEntries: Readonly<Record<string, number>> = { emails: maxContactEntries, phones: maxContactEntries, tags: maxTags }

/**
 * Marks the suggestion as dismissed. Idempotent.
 * @throws AppError `not_found`; `forbidden` for an agent; `conflict` if it was accepted
 */
export function dismissSuggestion(ctx: Context, contactId: string, suggestionId: string): Promise<ContactSuggestion> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    await lockContact(trx, contactId)
    const { status } = await requireSuggestion(trx, contactId, suggestionId)
    if (status === 'accepted') throw new AppError('conflict', 'The suggestion was accepted.')
    if (status === 'pending') {
      await decide(ctx, trx, suggestionId, 'dismissed')
      await audit(ctx, trx, { action: 'suggestion.dismissed', target: wireId('sug', suggestionId) })
    }
    return toSuggestion(await shownSuggestions(trx).where('contact_suggestion.id', '=', suggestionId).executeTakeFirstOrThrow())
  })
}

async function requireSuggestion(trx: Transaction, contactId: string, id: string): Promise<Selectable<ContactSuggestionTable>> {
  const row = await trx
    .selectFrom('contact_suggestion')
    .selectAll()
    .where('contact_id', '=', contactId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found', 'There is no such suggestion.')
  return row
}

async function decide(ctx: Context, trx: Transaction, id: string, status: 'accepted' | 'dismissed'): Promise<void> {
  await trx.updateTable('contact_suggestion').set({ status, decided_at: ctx.now() }).where('id', '=', id).execute()
}
