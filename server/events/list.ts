import type { Event, ListEvents } from '@groundwork/api'
import { atomically, type Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { toEvent } from './record.ts'

/**
 * Newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export function listEvents(ctx: Context, input: ListEvents): Promise<{ data: Event[]; nextCursor: string | null }> {
  return atomically(ctx, async (trx) => {
    let query = trx
      .selectFrom('event')
      .selectAll()
      .orderBy('position', 'desc')
      .limit(input.limit + 1)
    if (input.type !== undefined) query = query.where('type', 'in', input.type)
    if (input.cursor !== undefined) query = query.where('position', '<', decodeCursor(input.cursor))
    const rows = await query.execute()
    const shown = rows.slice(0, input.limit)
    const last = shown.at(-1)
    return { data: shown.map(toEvent), nextCursor: rows.length > input.limit && last !== undefined ? encodeCursor(last.position) : null }
  })
}

/** Positions are in the order of commits, which the times of events need not be. */
const encodeCursor = (position: number): string => Buffer.from(`event.${position}`).toString('base64url')

function decodeCursor(cursor: string): number {
  const position = /^event\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (position === undefined) throw new AppError('bad_request', 'cursor is not one that this list returned', { field: 'cursor' })
  return Number(position)
}
