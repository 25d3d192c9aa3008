import type { Event, ListEvents } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { recordExists, toEvent } from './record.ts'

/**
 * Lists events, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export function listEvents(ctx: Context, input: ListEvents): Promise<{ data: Event[]; nextCursor: string | null }> {
  return withTransaction(ctx, (trx) => eventsPage(trx, input))
}

/**
 * Returns a page of events, newest first, optionally of these types or of this contact and its proposals.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function eventsPage(
  trx: Transaction,
  { limit, cursor, type, contactId }: ListEvents & { contactId?: string },
): Promise<{ data: Event[]; nextCursor: string | null }> {
  let query = trx
    .selectFrom('event')
    .selectAll()
    .select(recordExists.as('record_exists'))
    .orderBy('position', 'desc')
    .limit(limit + 1)
  if (type !== undefined) query = query.where('type', 'in', type)
  if (contactId !== undefined) query = query.where('contact_id', '=', contactId)
  if (cursor !== undefined) query = query.where('position', '<', decodeCursor(cursor))
  const rows = await query.execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { data: shown.map(toEvent), nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.position) : null }
}

/** Cursors use positions, which follow commit order. The creation times of events need not. */
const encodeCursor = (position: number): string => Buffer.from(`event.${position}`).toString('base64url')

function decodeCursor(cursor: string): number {
  const position = /^event\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (position === undefined) throw new AppError('bad_request', 'cursor must be a nextCursor that this list returned', { field: 'cursor' })
  return Number(position)
}
