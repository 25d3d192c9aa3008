import type { Event, ListEvents } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { cursorOf, positionOf } from './position.ts'
import { recordExists, toEvent } from './record.ts'

/**
 * Lists events, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export function listEvents(ctx: Context, input: ListEvents): Promise<{ data: Event[]; nextCursor: string | null }> {
  return withTransaction(ctx, (trx) => eventsPage(trx, input))
}

/** Returns a page of events, newest first, optionally of these types. */
async function eventsPage(trx: Transaction, { limit, cursor, type }: ListEvents): Promise<{ data: Event[]; nextCursor: string | null }> {
  let query = trx
    .selectFrom('event')
    .selectAll()
    .select(recordExists.as('record_exists'))
    .orderBy('position', 'desc')
    .limit(limit + 1)
  if (type !== undefined) query = query.where('type', 'in', type)
  if (cursor !== undefined) query = query.where('position', '<', positionOf(cursor))
  const rows = await query.execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { data: shown.map(toEvent), nextCursor: rows.length > limit && last !== undefined ? cursorOf(last.position) : null }
}
