import type { Event, StreamEvents } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import type { StreamOptions } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import type { Follower } from './feed.ts'
import { recordExists, toEvent } from './record.ts'

/** Interval of heartbeat comments and of polling for events whose notification was lost. */
const heartbeatMs = 15_000
/** Events read per query, and so the maximum that a slow client keeps in memory. */
const pageSize = 50

/**
 * Yields the organization's events in order, each once, and null after 15 seconds without one. Starts at the present, or after
 * `lastEventId`; if that event has expired, at the oldest one. Ends when the signal is aborted.
 * @throws AppError `bad_request` if lastEventId has not the form of an event id
 */
export async function streamEvents(
  ctx: Context,
  { type: types }: StreamEvents,
  { lastEventId, signal }: StreamOptions,
): Promise<AsyncIterable<Event | null>> {
  // Follows before reading the start position, so that no event in between is missed.
  const follower = await ctx.events.follow(ctx.organizationId, signal)
  const start = await withTransaction(ctx, (trx) => (lastEventId === null ? newest(trx) : positionOf(trx, lastEventId)))
  return following(ctx, follower, start, types, signal)
}

async function* following(
  ctx: Context,
  follower: Follower,
  start: number,
  types: StreamEvents['type'],
  signal: AbortSignal,
): AsyncGenerator<Event | null> {
  // Node sends the response headers with the first chunk.
  yield null
  let [after, quietSince] = [start, Date.now()]
  while (!signal.aborted) {
    const page = await readAfter(ctx, after, types)
    for (const event of page.events) yield event
    if (page.events.length > 0) quietSince = Date.now()
    after = page.upTo
    if (page.full) continue
    await follower.waitForEvents(quietSince + heartbeatMs - Date.now())
    if (Date.now() < quietSince + heartbeatMs || signal.aborted) continue
    yield null
    quietSince = Date.now()
  }
}

/** Returns the next events, and the position up to which all events have been read. */
function readAfter(ctx: Context, after: number, types: StreamEvents['type']): Promise<{ events: Event[]; upTo: number; full: boolean }> {
  return withTransaction(ctx, async (trx) => {
    // Read first: events committed between the two statements have higher positions.
    const upTo = await newest(trx)
    if (upTo <= after) return { events: [], upTo: after, full: false }
    let query = trx
      .selectFrom('event')
      .selectAll()
      .select(recordExists.as('record_exists'))
      .where('position', '>', after)
      .where('position', '<=', upTo)
    if (types !== undefined) query = query.where('type', 'in', types)
    const rows = await query.orderBy('position').limit(pageSize).execute()
    const full = rows.length === pageSize
    return { events: rows.map(toEvent), upTo: full ? (rows.at(-1)?.position ?? upTo) : upTo, full }
  })
}

async function newest(trx: Transaction): Promise<number> {
  const row = await trx.selectFrom('event').select('position').orderBy('position', 'desc').limit(1).executeTakeFirst()
  return row?.position ?? 0
}

async function positionOf(trx: Transaction, eventId: string): Promise<number> {
  const id = /^(?:evt_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(eventId)?.[1]
  if (id === undefined) throw new AppError('bad_request', 'Last-Event-ID must be the id of an event.', { field: 'Last-Event-ID' })
  const row = await trx.selectFrom('event').select('position').where('id', '=', id).executeTakeFirst()
  return row?.position ?? 0
}
