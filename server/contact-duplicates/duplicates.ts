import {
  maxDuplicateCount,
  wireId,
  type ContactDuplicate,
  type CountDuplicates,
  type DuplicateCount,
  type ListDuplicates,
} from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { audit } from '../audit/audit.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { toContact, type ContactRow } from '../contacts/record.ts'
import { presentContact } from '../contact-merges/survivor.ts'
import { select, withTransaction, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { ContactDuplicateTable, Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'

type PairRow = Selectable<ContactDuplicateTable>

/**
 * Lists pairs of contacts, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export function listDuplicates(
  ctx: Context,
  { limit, cursor, ...conditions }: ListDuplicates,
): Promise<{ data: ContactDuplicate[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    const query = pairsThatMeet(trx, conditions).selectAll('contact_duplicate')
    const { rows, nextCursor } = pageOf(await newestFirst(query, 'contact_duplicate', { limit, cursor }).execute(), limit)
    return { data: await withContacts(trx, rows), nextCursor }
  })
}

/** Counts the pairs that the list has, up to a maximum. */
export async function countDuplicates(ctx: Context, conditions: CountDuplicates): Promise<DuplicateCount> {
  const rows = await select(ctx, (db) =>
    db
      .selectFrom(
        pairsThatMeet(db, conditions)
          .select('id')
          .limit(maxDuplicateCount + 1)
          .as('pair'),
      )
      .select(({ fn }) => fn.countAll<number>().as('count')),
  )
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, maxDuplicateCount), hasMore: count > maxDuplicateCount }
}

function pairsThatMeet(trx: Transaction, { contactId, minConfidence, status }: CountDuplicates) {
  const query = presentPairs(trx)
    .where('status', '=', status)
    // Stored with single precision.
    .where(sql<boolean>`confidence >= ${minConfidence}::real`)
  return contactId === undefined ? query : query.where(sql<boolean>`${presentContact(contactId)} in (first_id, second_id)`)
}

/**
 * Remembers that the contacts are not the same person. Idempotent.
 * @throws AppError `not_found`; `forbidden` for an agent
 */
export function dismissDuplicate(ctx: Context, id: string): Promise<ContactDuplicate> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    const dismissed = await trx
      .updateTable('contact_duplicate')
      .set({ status: 'dismissed', dismissed_at: ctx.now() })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .returning('id')
      .execute()
    const [pair] = await withContacts(trx, await presentPairs(trx).selectAll('contact_duplicate').where('id', '=', id).execute())
    if (pair === undefined) throw new AppError('not_found', 'There is no such pair of contacts.')
    if (dismissed.length > 0) await audit(ctx, trx, { action: 'duplicate.dismissed', target: wireId('dup', id) })
    return pair
  })
}

/** Selects the pairs of contacts that are not deleted. A deleted contact can still have some until it is compared again. */
const presentPairs = (trx: Transaction) =>
  trx.selectFrom('contact_duplicate').where(
    sql<boolean>`not exists (select from contact
        where contact.id in (contact_duplicate.first_id, contact_duplicate.second_id) and contact.deleted_at is not null)`,
  )

async function withContacts(trx: Transaction, rows: readonly PairRow[]): Promise<ContactDuplicate[]> {
  const ids = [...new Set(rows.flatMap(({ first_id, second_id }) => [first_id, second_id]))]
  const contacts = await trx
    .selectFrom('contact')
    .selectAll()
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  const byId = new Map(contacts.map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const [first, second] = [byId.get(row.first_id), byId.get(row.second_id)]
    return first === undefined || second === undefined ? [] : [toDuplicate(row, first, second)]
  })
}

const toDuplicate = (row: PairRow, first: ContactRow, second: ContactRow): ContactDuplicate => ({
  id: wireId('dup', row.id),
  contacts: [first, second].toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime()).map(toContact),
  confidence: Number(row.confidence.toFixed(2)),
  reasons: row.reasons,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  dismissedAt: row.dismissed_at?.toISOString() ?? null,
})
