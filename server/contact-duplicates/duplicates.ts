import type { ContactDuplicate, CountDuplicates, DuplicateCount, ListDuplicates } from '@groundwork/api'
import { sql } from 'kysely'
import { toContact, type ContactRow } from '../contacts/record.ts'
import { presentContact } from '../contact-merges/survivor.ts'
import type { Context } from '../context.ts'
import { countPairs, dismissPair, listPairs, type PairKind } from '../duplicates/pairs.ts'

const pairsOfContacts: PairKind<ContactRow, ContactDuplicate> = {
  table: 'contact',
  prefix: 'dup',
  dismissed: 'duplicate.dismissed',
  notFound: 'There is no such pair of contacts.',
  presentId: presentContact,
  read: (trx, ids) =>
    trx
      .selectFrom('contact')
      .selectAll()
      .where(sql<boolean>`id = any (${ids}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute(),
  toPair: (pair, contacts, { reasons }) => ({ ...pair, contacts: contacts.map(toContact), reasons }),
}

/**
 * Lists pairs of contacts, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export const listDuplicates = (ctx: Context, { contactId, ...input }: ListDuplicates) =>
  listPairs(ctx, pairsOfContacts, { ...input, recordId: contactId })

/** Counts the pairs that the list has, up to a maximum. */
export const countDuplicates = (ctx: Context, { contactId, ...input }: CountDuplicates): Promise<DuplicateCount> =>
  countPairs(ctx, pairsOfContacts, { ...input, recordId: contactId })

/**
 * Remembers that the contacts are not the same person. Idempotent.
 * @throws AppError `not_found`; `forbidden` for an agent
 */
export const dismissDuplicate = (ctx: Context, id: string): Promise<ContactDuplicate> => dismissPair(ctx, pairsOfContacts, id)
