import { wireId, type ProposalRecipient } from '@groundwork/api'
import { sql, type ExpressionBuilder, type Insertable, type RawBuilder, type Selectable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { ContactTable, ProposalRecipientTable, Schema, Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import type { ProposalContext } from './context.ts'
import { deliveryOf, sendingMailColumn, type SendingMail } from './mail/delivery.ts'

export type RecipientRow = Selectable<ProposalRecipientTable>

/** A recipient in `recipientsColumn`. Times are texts in JSON. */
export interface StoredRecipient extends Pick<
  RecipientRow,
  'id' | 'role' | 'contact_id' | 'name' | 'email' | 'language' | 'link_version' | 'withheld'
> {
  first_viewed_at: string | null
  signed_at: string | null
  declined_at: string | null
  sending: SendingMail | null
  /** Whether the recipient has an address, even if it is hidden. */
  has_address: boolean
}

/**
 * Selects the recipients of each proposal in the statement that reads it. The name and the address of a deleted contact are null,
 * except of the signers of an accepted proposal, where they are evidence.
 */
export const recipientsColumn = (eb: ExpressionBuilder<Schema, 'proposal'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('proposal_recipient')
      .select([
        'proposal_recipient.id',
        'role',
        'contact_id',
        'language',
        'link_version',
        'first_viewed_at',
        'signed_at',
        'declined_at',
        'withheld',
      ])
      .select([ofKnown('name').as('name'), ofKnown('email').as('email')])
      .select([sendingMailColumn.as('sending'), sql<boolean>`proposal_recipient.email is not null`.as('has_address')])
      .whereRef('proposal_recipient.organization_id', '=', 'proposal.organization_id')
      .whereRef('proposal_recipient.proposal_id', '=', 'proposal.id')
      .orderBy('position'),
  )
    .$castTo<StoredRecipient[]>()
    .as('recipients')

/**
 * Selects when the contact of a recipient was deleted; null without a contact. It is a subquery, because a join that was planned with
 * few contacts reads all contacts of the organization: among 5,000 contacts, the page took six times as long.
 * @param recipient name of proposal_recipient in the statement
 */
export const contactDeletedAt = (recipient: string): RawBuilder<unknown> => sql`(
  select contact.deleted_at from contact
  where contact.organization_id = ${sql.ref(`${recipient}.organization_id`)} and contact.id = ${sql.ref(`${recipient}.contact_id`)})`

const ofKnown = (column: 'name' | 'email') =>
  sql<string | null>`case
    when (role = 'signer' and proposal.status = 'completed') or ${contactDeletedAt('proposal_recipient')} is null
    then ${sql.ref(`proposal_recipient.${column}`)} end`

export type NamedContact = Pick<Selectable<ContactTable>, 'id' | 'first_name' | 'last_name' | 'email' | 'language'>

/** Returns the name of a contact; null without one. */
export function nameOf({ first_name, last_name }: Pick<NamedContact, 'first_name' | 'last_name'>): string | null {
  const name = [first_name, last_name].filter((part) => part !== null).join(' ')
  return name === '' ? null : name
}

/** Returns the contact's data that its proposals copy. */
export const copiedFrom = (contact: NamedContact) => ({ contact_id: contact.id, name: nameOf(contact), email: contact.email })

/** Copies the contact's present data to the first recipient of a draft. Returns whether the recipient has changed. */
export async function copyContact(trx: Transaction, proposalId: string, contact: NamedContact): Promise<boolean> {
  const copy = { ...copiedFrom(contact), language: contact.language }
  const { numUpdatedRows } = await trx
    .updateTable('proposal_recipient')
    .set(copy)
    .where('proposal_id', '=', proposalId)
    .where('position', '=', 0)
    .where((is) =>
      is.or([
        is('contact_id', 'is distinct from', copy.contact_id),
        is('name', 'is distinct from', copy.name),
        is('email', 'is distinct from', copy.email),
        is('language', 'is distinct from', copy.language),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the row of the contact as the first signer of a new proposal. */
export function firstSigner(
  { organizationId, now }: ProposalContext,
  proposalId: string,
  contact: NamedContact,
): Insertable<ProposalRecipientTable> {
  return {
    organization_id: organizationId,
    id: newId(now().getTime()),
    proposal_id: proposalId,
    position: 0,
    role: 'signer',
    ...copiedFrom(contact),
    language: contact.language,
    link_version: 0,
  }
}

/** Returns the record of a recipient. Drafts have no links. A waiting signer has got no email yet. */
export function toRecipient(
  { organizationId, proposalLinks }: ProposalContext,
  {
    id,
    role,
    contact_id,
    name,
    email,
    language,
    link_version,
    first_viewed_at,
    signed_at,
    declined_at,
    sending,
    has_address,
    withheld,
  }: StoredRecipient,
  { sent, isWaiting }: { sent: boolean; isWaiting: boolean },
): ProposalRecipient {
  const answer = signed_at !== null ? 'signed' : declined_at !== null ? 'declined' : first_viewed_at !== null ? 'viewed' : 'pending'
  const isNotified = sent && !isWaiting
  return {
    id: wireId('rcp', id),
    role,
    contactId: contact_id === null ? null : wireId('ctc', contact_id),
    name,
    email,
    language,
    status: isNotified ? answer : 'waiting',
    url: sent ? proposalLinks.urlOf({ organizationId, recipientId: id, version: link_version }) : null,
    ...(isNotified
      ? deliveryOf(sending, { hasAddress: has_address, isHidden: email === null, refusal: withheld })
      : { delivery: null, deliveredAt: null }),
    viewedAt: toTimestamp(first_viewed_at),
    signedAt: toTimestamp(signed_at),
  }
}

const toTimestamp = (value: string | null): string | null => (value === null ? null : new Date(value).toISOString())
