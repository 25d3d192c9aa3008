import type { ContactSort } from '@groundwork/api'
import { sql, type SelectQueryBuilder } from 'kysely'
import { select, type Context } from '../context.ts'
import type { Schema, Transaction } from '../db/schema.ts'
import { contactOrder, cursorAfter, positionAfter } from './order.ts'
import type { ContactRow } from './record.ts'

/**
 * Returns a page of the contacts that `matching` selects, in this order.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function sortedContacts(
  ctx: Context,
  matching: (db: Transaction) => SelectQueryBuilder<Schema, 'contact', object>,
  { sort, limit, cursor }: { sort: ContactSort; limit: number; cursor?: string | undefined },
): Promise<{ rows: ContactRow[]; nextCursor: string | null }> {
  const order = contactOrder(sort)
  const after = cursor === undefined ? undefined : positionAfter(order, cursor)
  const found = await select(ctx, (db) => {
    const query = matching(db)
      .selectAll('contact')
      .select(order.value.as('sort_value'))
      .orderBy(order.key, order.direction)
      .orderBy('contact.id', order.direction)
      .limit(limit + 1)
    if (after === undefined) return query
    return query.where(sql<boolean>`(${order.key}, contact.id) ${order.beyond} (${after.value}::${order.type}, ${after.id}::uuid)`)
  })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, nextCursor: found.length > limit && last !== undefined ? cursorAfter(order, last) : null }
}
