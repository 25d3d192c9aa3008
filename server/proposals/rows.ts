import { sql, type Selectable } from 'kysely'
import type { ContactTable, Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
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

/** Returns the contact if it exists, and prevents its deletion until the transaction ends. */
export function lockContact(
  trx: Transaction,
  contactId: string,
): Promise<Pick<Selectable<ContactTable>, 'id' | 'first_name' | 'last_name' | 'email'> | undefined> {
  return trx
    .selectFrom('contact')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('id', '=', contactId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

/** Returns the next number. The organization's row stays locked until the transaction ends, so numbers have no gaps or duplicates. */
export async function nextProposalNumber(trx: Transaction): Promise<number> {
  const { number } = await trx
    .updateTable('organization')
    .set({ last_proposal_number: sql`last_proposal_number + 1` })
    .returning('last_proposal_number as number')
    .executeTakeFirstOrThrow()
  return number
}

export const noSuchProposal = (): AppError => new AppError('not_found', 'there is no such proposal')
