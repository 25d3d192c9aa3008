import type { Event, StreamEvents } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import type { Streaming } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import type { Follower } from './feed.ts'
import { recordExists, toEvent } from './record.ts'

/** A stream says this often that it lives, and looks for what it may not have been told of. */
const heartbeatMs = 15_000
/** Events read at a time: what a slow reader makes the program hold. */
const pageSize = 50

/**
 * The organization's events in their order as they happen, each once, and null when there was none for 15 seconds: from
 * now on, or all after `lastEventId`; when that one is no longer kept, all there are. Ends with the signal.
 * @throws AppError `bad_request` for a lastEventId that no event can have
 */
export async function streamEvents(
  ctx: Context,
  { type: types }: StreamEvents,
  { lastEventId, signal }: Streaming,
): Promise<AsyncIterable<Event | null>> {
  // Before the start is looked up: what comes between the two is told of.
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
  // The answer's head leaves with its first piece.
  yield null
  let [after, quietSince] = [start, Date.now()]
  while (!signal.aborted) {
    const page = await readAfter(ctx, after, types)
    for (const event of page.events) yield event
    if (page.events.length > 0) quietSince = Date.now()
    after = page.upTo
    if (page.full) continue
    await follower.news(quietSince + heartbeatMs - Date.now())
    if (Date.now() < quietSince + heartbeatMs || signal.aborted) continue
    yield null
    quietSince = Date.now()
  }
}

/** The next events, and the position up to which nothing else is to be had. */
function readAfter(ctx: Context, after: number, types: StreamEvents['type']): Promise<{ events: Event[]; upTo: number; full: boolean }> {
  return withTransaction(ctx, async (trx) => {
    // First: what commits between the two statements has a higher position.
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
  if (id === undefined) throw new AppError('bad_request', 'Last-Event-ID is not the id of an event', { field: 'Last-Event-ID' })
  const row = await trx.selectFrom('event').select('position').where('id', '=', id).executeTakeFirst()
  return row?.position ?? 0
}
