import { sql } from 'kysely'
import { defer } from '../../db/deferred.ts'
import type { Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'

/** Reason of a message that was withheld because the contact refuses email. */
export const doNotContact = 'do_not_contact'

const refuses = sql<boolean>`(contact.do_not_contact or contact.consent ->> 'email' = 'denied')`

/** SQL condition on `proposal_recipient`: the contact, or a contact with the address, refuses email. */
export const refusesEmail = sql<boolean>`(
  exists (select from contact where contact.organization_id = proposal_recipient.organization_id
    and contact.id = proposal_recipient.contact_id and contact.deleted_at is null and ${refuses})
  or exists (select from contacts_with_email(lower(proposal_recipient.email)) as same (id)
    join contact on contact.organization_id = proposal_recipient.organization_id and contact.id = same.id where ${refuses}))`

/** Notes for the recipients of a proposal whether they refuse email, when it is sent. */
export async function noteRefusals(trx: Transaction, proposalId: string): Promise<void> {
  const noted = sql`
    update proposal_recipient set withheld = case when ${refusesEmail} then ${doNotContact} end
    where proposal_id = ${proposalId}::uuid and email is not null and (withheld is not null or ${refusesEmail})`
  await defer(trx, noted.compile(trx))
}

const withhold = sql`update mail set state = 'failed', withheld = ${doNotContact}, error = ${doNotContact}, text = '', html = null`

/**
 * Withholds the messages to contacts that wait to be sent. Proposals that they were to send are noted as withheld.
 * A message that the mail server may already have accepted stays.
 */
export async function withdrawMailsTo(trx: Transaction, contactIds: readonly string[]): Promise<void> {
  await sql`
    with withdrawn as (
      ${withhold} where state = 'queued' and handed_over_at is null
        and recipient_id in (select id from proposal_recipient where contact_id = any (${contactIds}::uuid[]))
      returning recipient_id, kind
    )
    update proposal_recipient set withheld = ${doNotContact}
    where id in (select recipient_id from withdrawn where kind = 'sent')`.execute(trx)
}

/** Withholds a message that is about to be sent if the recipient has refused email since it was enqueued. */
export async function withdrawIfRefused(trx: Transaction, mailId: string): Promise<void> {
  await sql`
    with withdrawn as (
      ${withhold} from proposal_recipient
      where mail.id = ${mailId}::uuid and mail.state = 'queued' and mail.handed_over_at is null
        and proposal_recipient.organization_id = mail.organization_id and proposal_recipient.id = mail.recipient_id and ${refusesEmail}
      returning mail.recipient_id, mail.kind
    )
    update proposal_recipient set withheld = ${doNotContact}
    where id in (select recipient_id from withdrawn where kind = 'sent')`.execute(trx)
}

/** @throws AppError `validation_error`, field `requireDelivery`, if a recipient refuses email */
export async function requireNoRefusal(trx: Transaction, proposalId: string): Promise<void> {
  const withheld = await trx
    .selectFrom('proposal_recipient')
    .select('id')
    .where('proposal_id', '=', proposalId)
    .where('withheld', 'is not', null)
    .executeTakeFirst()
  if (withheld === undefined) return
  throw new AppError('validation_error', 'A recipient refuses email (do_not_contact). Send the proposal without requireDelivery.', {
    field: 'requireDelivery',
  })
}
