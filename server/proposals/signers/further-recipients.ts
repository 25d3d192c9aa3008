import type { ProposalRecipientInput } from '@groundwork/api'
import type { Insertable } from 'kysely'
import { changedColumns, isEmpty } from '../../db/changed-columns.ts'
import type { ProposalRecipientTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { noSuchContact } from '../checks.ts'
import type { ProposalContext } from '../context.ts'
import { copiedFrom, type NamedContact } from '../recipients.ts'
import { lockContact } from '../rows.ts'

type FindContact = (id: string) => Promise<NamedContact | undefined>
type NewRecipient = Pick<Insertable<ProposalRecipientTable>, 'role' | 'contact_id' | 'name' | 'email' | 'language'>

/**
 * Returns the recipients after the contact of a proposal, with the names and addresses of their contacts.
 * @throws AppError `validation_error` with the field if a contact does not exist or is given twice
 */
export async function namedRecipients(
  recipients: readonly ProposalRecipientInput[],
  contactId: string,
  find: FindContact,
): Promise<NewRecipient[]> {
  const contactIds = new Set([contactId])
  const named: NewRecipient[] = []
  for (const [index, { role, contactId: id, name = null, email = null, language = null }] of recipients.entries()) {
    const field = `recipients.${index}.contactId`
    const contact = id === undefined ? undefined : await find(id)
    if (id !== undefined && contact === undefined) throw noSuchContact(field)
    if (contact !== undefined && contactIds.has(contact.id)) throw alreadyRecipient(field)
    if (contact !== undefined) contactIds.add(contact.id)
    named.push({
      role,
      ...(contact === undefined ? { contact_id: null, name, email } : copiedFrom(contact)),
      language: language ?? contact?.language ?? null,
    })
  }
  return named
}

/**
 * Returns the rows of the recipients after the contact. Their contacts cannot be deleted until the transaction ends.
 * @throws AppError `validation_error`, as `namedRecipients`
 */
export async function furtherRecipients(
  { organizationId, now }: ProposalContext,
  trx: Transaction,
  { proposalId, contactId, recipients }: { proposalId: string; contactId: string; recipients: readonly ProposalRecipientInput[] },
): Promise<Insertable<ProposalRecipientTable>[]> {
  const named = await namedRecipients(recipients, contactId, (id) => lockContact(trx, id))
  return named.map((recipient, index) => ({
    organization_id: organizationId,
    id: newId(now().getTime()),
    proposal_id: proposalId,
    position: index + 1,
    ...recipient,
    link_version: 0,
  }))
}

/**
 * Replaces the recipients after the contact of a locked draft, or checks that a new contact is none of them. Returns whether they have
 * changed: recipients with the same data keep their ids.
 */
export async function replaceFurtherRecipients(
  ctx: ProposalContext,
  trx: Transaction,
  { recipients, ...draft }: { proposalId: string; contactId: string; recipients: readonly ProposalRecipientInput[] | null | undefined },
): Promise<boolean> {
  const { proposalId, contactId } = draft
  const former = await trx
    .selectFrom('proposal_recipient')
    .select(['role', 'contact_id', 'name', 'email', 'language'])
    .where('proposal_id', '=', proposalId)
    .where('position', '>', 0)
    .orderBy('position')
    .execute()
  if (recipients === undefined) {
    if (former.some((recipient) => recipient.contact_id === contactId)) throw alreadyRecipient('contactId')
    return false
  }
  const rows = await furtherRecipients(ctx, trx, { ...draft, recipients: recipients ?? [] })
  const isSame = former.length === rows.length && former.every((recipient, at) => isEmpty(changedColumns(rows[at] ?? {}, recipient)))
  if (isSame) return false
  await trx.deleteFrom('proposal_recipient').where('proposal_id', '=', proposalId).where('position', '>', 0).execute()
  if (rows.length > 0) await trx.insertInto('proposal_recipient').values(rows).execute()
  return true
}

/**
 * Copies the present data of contacts to the recipients after the contact of a draft that is sent.
 * @throws AppError `conflict`, field `recipients`, if one was deleted, or merged into another recipient
 */
export async function copyFurtherContacts(trx: Transaction, proposalId: string, contactId: string): Promise<void> {
  const contactIds = new Set([contactId])
  const recipients = await trx
    .selectFrom('proposal_recipient')
    .select(['id', 'contact_id'])
    .where('proposal_id', '=', proposalId)
    .where('position', '>', 0)
    .where('contact_id', 'is not', null)
    .$narrowType<{ contact_id: string }>()
    .execute()
  for (const { id, contact_id } of recipients) {
    const contact = await lockContact(trx, contact_id)
    if (contact === undefined) throw new AppError('conflict', 'A recipient of the proposal was deleted.', { field: 'recipients' })
    if (contactIds.has(contact.id))
      throw new AppError('conflict', 'A recipient was merged into another one. Remove one of them before you send the proposal.', {
        field: 'recipients',
      })
    contactIds.add(contact.id)
    await trx.updateTable('proposal_recipient').set(copiedFrom(contact)).where('id', '=', id).execute()
  }
}

const alreadyRecipient = (field: string): AppError =>
  new AppError('validation_error', 'The contact is already a recipient of the proposal.', { field })
