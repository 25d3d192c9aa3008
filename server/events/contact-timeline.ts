import type { ContactTimeline, TimelineEntry } from '@groundwork/api'
import { actorName, toActor } from '../audit/actor.ts'
import { requireContact } from '../contacts/lock.ts'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { cursorOf, positionOf } from './position.ts'
import { recordExists, toEvent } from './record.ts'

/**
 * Lists the events of a contact, its activities and its proposals with their authors, newest first. Those that are no longer in the
 * event log have no texts but titles of proposals.
 * @throws AppError `not_found`, or `bad_request`, field `cursor`
 */
export function contactTimeline(
  ctx: Context,
  id: string,
  { limit, cursor }: ContactTimeline,
): Promise<{ data: TimelineEntry[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireContact(trx, id)
    const before = cursor === undefined ? undefined : positionOf(cursor)
    const entries = (table: 'event' | 'timeline_entry') => newestOf(trx, table, { contactId: id, before, maxRows: limit + 1 })
    const rows = await trx
      .selectFrom(entries('event').unionAll(entries('timeline_entry')).as('event'))
      .selectAll()
      .select([recordExists.as('record_exists'), actorName('event').as('actor_name')])
      .orderBy('position', 'desc')
      .limit(limit + 1)
      .execute()
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    const data = shown.map((row) => ({
      ...toEvent(row),
      actor: row.actor_type === null ? null : toActor({ ...row, actor_type: row.actor_type }),
    }))
    return { data: data as TimelineEntry[], nextCursor: rows.length > limit && last !== undefined ? cursorOf(last.position) : null }
  })
}

interface Newest {
  contactId: string
  before: number | undefined
  maxRows: number
}

const newestOf = (trx: Transaction, table: 'event' | 'timeline_entry', { contactId, before, maxRows }: Newest) =>
  trx
    .selectFrom((from) => {
      const newest = from
        .selectFrom(table)
        .select([
          'organization_id',
          'contact_id',
          'position',
          'id',
          'type',
          'data',
          'schema_version',
          'actor_type',
          'actor_id',
          'created_at',
        ])
        .where('contact_id', '=', contactId)
        .orderBy('position', 'desc')
        .limit(maxRows)
      return (before === undefined ? newest : newest.where('position', '<', before)).as('newest')
    })
    .selectAll()
