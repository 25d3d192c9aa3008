import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import { deleteKeptEntries } from './kept-entries.ts'
import { withoutContent } from './stored-data.ts'
import { schemaVersion, upgraded } from './upgrades.ts'
import { namesContact } from './with-contact.ts'

/** Events with data in place of the stored data. */
interface ReplacedEvents {
  readonly ids: readonly string[]
  /** JSON. */
  readonly data: readonly string[]
  readonly version: number
}

const replaced = (
  rows: readonly { id: string; type: string; data: Record<string, unknown>; schema_version: number }[],
): ReplacedEvents => ({
  ids: rows.map(({ id }) => id),
  data: rows.map((row) => JSON.stringify(withoutContent(row.type, upgraded(row.type, row.data, row.schema_version)))),
  version: schemaVersion,
})

/**
 * Returns the events of proposals with ids, states, numbers and times in place of their data. A draft can have had another contact,
 * so no contact narrows the search.
 */
export async function eventsWithoutContent(trx: Transaction, proposalIds: readonly string[]): Promise<ReplacedEvents> {
  const { rows } = await sql<{ id: string; type: string; data: Record<string, unknown>; schema_version: number }>`
    select id, type, data, schema_version from event
    where type like 'proposal.%' and right(data ->> 'id', 36) = any (${proposalIds}::text[])`.execute(trx)
  return replaced(rows)
}

/**
 * Replaces the data of the events with a deleted contact by what readers see of them since the deletion: ids, states, numbers and
 * times. Forgets the answers of webhook receivers to them.
 */
export async function eraseEventsOfContact(trx: Transaction, contactId: string): Promise<{ events: number; webhookResponses: number }> {
  const { rows } = await sql<{ id: string; type: string; data: Record<string, unknown>; schema_version: number }>`
    select id, type, data, schema_version from event where ${namesContact(contactId)}`.execute(trx)
  const { ids, data: erased } = replaced(rows)
  const { rows: forgotten } = await sql<{ count: number }>`
    select erase_events_of_contact(${contactId}::uuid, ${ids}::uuid[], ${erased}::jsonb[], ${schemaVersion}::smallint) as count`.execute(
    trx,
  )
  const kept = await deleteKeptEntries(trx, contactId)
  return { events: rows.length + kept, webhookResponses: forgotten[0]?.count ?? 0 }
}
