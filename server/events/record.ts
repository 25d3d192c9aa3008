import { wireId, type Event } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { EventTable } from '../db/schema.ts'

/** An event as callers see it. `emit` alone writes rows, and takes for each type its own data. */
export function toEvent(row: Pick<Selectable<EventTable>, 'id' | 'type' | 'data' | 'created_at'>): Event {
  return { id: wireId('evt', row.id), type: row.type, createdAt: row.created_at.toISOString(), data: row.data } as Event
}
