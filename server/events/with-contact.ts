import type { Event } from '@groundwork/api'
import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import { recordExists, toEvent } from './record.ts'

/**
 * SQL condition on `event`: it is about a contact or one of its proposals, or its data has the id of the contact or of one that was
 * merged into it.
 */
export const namesContact = (contactId: string) => sql<boolean>`event.id in (select events_with_contact(${contactId}::uuid))`

/** Returns the events of the event log that name a contact, newest first. */
export async function eventsWithContact(trx: Transaction, contactId: string): Promise<Event[]> {
  const rows = await trx
    .selectFrom('event')
    .select(['id', 'type', 'data', 'schema_version', 'created_at', recordExists.as('record_exists')])
    .where(namesContact(contactId))
    .orderBy('position', 'desc')
    .execute()
  return rows.map(toEvent)
}
