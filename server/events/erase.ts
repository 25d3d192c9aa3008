import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import { deleteKeptEntries } from './kept-entries.ts'
import { withoutContent } from './stored-data.ts'
import { schemaVersion, upgraded } from './upgrades.ts'

/**
 * Replaces the data of the events of a deleted contact, and of the proposals that it received, by what readers see of them since
 * the deletion: ids, states, numbers and times. Forgets the answers of webhook receivers to them.
 */
export async function eraseEventsOfContact(trx: Transaction, contactId: string): Promise<{ events: number; webhookResponses: number }> {
  const { rows } = await sql<{ id: string; type: string; data: Record<string, unknown>; schema_version: number }>`
    select id, type, data, schema_version from event where contact_id = ${contactId}
    union
    select event.id, type, data, schema_version from proposal_recipient as recipient
      join proposal on proposal.organization_id = recipient.organization_id and proposal.id = recipient.proposal_id
      join event on event.organization_id = proposal.organization_id and event.contact_id = proposal.contact_id
    where recipient.contact_id = ${contactId} and event.data ->> 'id' = 'prp_' || recipient.proposal_id`.execute(trx)
  const erased = rows.map((row) => JSON.stringify(withoutContent(row.type, upgraded(row.type, row.data, row.schema_version))))
  const ids = rows.map(({ id }) => id)
  const { rows: forgotten } = await sql<{ count: number }>`
    select erase_events_of_contact(${contactId}::uuid, ${ids}::uuid[], ${erased}::jsonb[], ${schemaVersion}::smallint) as count`.execute(
    trx,
  )
  const kept = await deleteKeptEntries(trx, contactId)
  return { events: rows.length + kept, webhookResponses: forgotten[0]?.count ?? 0 }
}
