import { sql } from 'kysely'
import { presentContact } from '../contact-merges/survivor.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { NamedContact, RecipientRow } from './recipients.ts'
import type { ProposalRow } from './record.ts'

/**
 * Locks and returns the row: of two concurrent transitions, the second sees the result of the first.
 * @throws AppError `not_found`
 */
export async function lockProposal(trx: Transaction, id: string): Promise<ProposalRow> {
  const row = await trx.selectFrom('proposal').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw noSuchProposal()
  return row
}

/**
 * Locks the proposal of a signer, and returns both.
 * @throws AppError `not_found` if the recipient does not exist or is no signer
 */
export async function lockForSigner(trx: Transaction, recipientId: string): Promise<{ recipient: RecipientRow; proposal: ProposalRow }> {
  const recipient = await trx
    .selectFrom('proposal_recipient')
    .selectAll()
    .where('id', '=', recipientId)
    .where('role', '=', 'signer')
    .executeTakeFirst()
  if (recipient === undefined) throw noSuchProposal()
  return { recipient, proposal: await lockProposal(trx, recipient.proposal_id) }
}

/** @throws AppError `not_found` */
export async function requireProposal(trx: Transaction, id: string): Promise<void> {
  const proposal = await trx.selectFrom('proposal').select('id').where('id', '=', id).executeTakeFirst()
  if (proposal === undefined) throw noSuchProposal()
}

/** Returns the contact if it exists, or the one into which it was merged. */
export const findContact = (trx: Transaction, contactId: string): Promise<NamedContact | undefined> =>
  contactWith(trx, contactId).executeTakeFirst()

/** Returns the contact as `findContact`, and prevents its deletion until the transaction ends. */
export const lockContact = (trx: Transaction, contactId: string): Promise<NamedContact | undefined> =>
  contactWith(trx, contactId).forShare().executeTakeFirst()

const contactWith = (trx: Transaction, contactId: string) =>
  trx
    .selectFrom('contact')
    .select(['id', 'first_name', 'last_name', 'email', 'language'])
    .where('id', '=', presentContact(contactId))
    .where('deleted_at', 'is', null)

/** Returns the next number. The organization's row stays locked until the transaction ends, so numbers have no gaps or duplicates. */
export async function nextProposalNumber(trx: Transaction): Promise<number> {
  const { number } = await trx
    .updateTable('organization')
    .set({ last_proposal_number: sql`last_proposal_number + 1` })
    .returning('last_proposal_number as number')
    .executeTakeFirstOrThrow()
  return number
}

export const noSuchProposal = (): AppError => new AppError('not_found', 'There is no such proposal.')
