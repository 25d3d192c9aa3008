import type { ContactSort } from '@groundwork/api'
import type { Context } from '../context.ts'
import { pageInOrder, positionAfter } from '../db/list-order.ts'
import { contactsInOrder, type MatchingContacts, type Narrowing } from './contacts-in-order.ts'
import { contactOrder } from './order.ts'
import type { ContactRow } from './record.ts'

/**
 * Returns a page of the contacts that `matching` selects, in this order.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function sortedContacts(
  ctx: Context,
  matching: MatchingContacts,
  { sort, limit, cursor, narrowing }: { sort: ContactSort; limit: number; cursor?: string | undefined; narrowing: Narrowing },
): Promise<{ rows: ContactRow[]; nextCursor: string | null }> {
  const order = contactOrder(sort)
  const after = cursor === undefined ? undefined : positionAfter(order, cursor)
  const found = await contactsInOrder(ctx, matching, { order, after, maxRows: limit + 1 }, narrowing)
  return pageInOrder(order, found, limit)
}
