import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import { withoutContent } from './stored-data.ts'
import { schemaVersion, upgraded } from './upgrades.ts'

const batchSize = 1000

/** Deleted contacts can be restored this long, in days, and their timelines with them. */
const restorableDays = 31

/**
 * Copies the events of contacts that are about to expire, without other texts than titles of proposals, so that the timeline lasts as long as the contact. Call it
 * in the transaction that deletes the events.
 * @param days age at which events expire
 */
export async function keepEventsOfContacts(trx: Transaction, days: number): Promise<void> {
  for (let after = 0; ;) {
    const rows = await trx
      .selectFrom('event')
      .innerJoin('contact', 'contact.id', 'event.contact_id')
      .selectAll('event')
      .where('event.created_at', '<', sql<Date>`now() - make_interval(days => ${days}::integer)`)
      .where('event.position', '>', after)
      .where(sql<boolean>`(contact.deleted_at is null or contact.deleted_at > now() - make_interval(days => ${restorableDays}::integer))`)
      .$narrowType<{ contact_id: string }>()
      .orderBy('event.position')
      .limit(batchSize)
      .execute()
    if (rows.length > 0) {
      const entries = rows.map(({ data, schema_version, ...row }) => ({
        ...row,
        data: JSON.stringify(keptData(row.type, upgraded(row.type, data as Record<string, unknown>, schema_version))),
        schema_version: schemaVersion,
      }))
      await trx
        .insertInto('timeline_entry')
        .values(entries)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    after = rows.at(-1)?.position ?? after
    if (rows.length < batchSize) return
  }
}

/** The title of a proposal stays readable, as in the proposal itself. */
function keptData(type: string, data: Record<string, unknown>): unknown {
  const kept = withoutContent(type, data)
  return type.startsWith('proposal.') ? Object.assign({}, kept, { title: data['title'] }) : kept
}

/** Deletes the kept entries about proposals in all timelines: a draft can have had another contact. */
export async function deleteKeptEntriesOf(trx: Transaction, proposalIds: readonly string[]): Promise<void> {
  await sql`delete from timeline_entry
    where type like 'proposal.%' and right(data ->> 'id', 36) = any (${proposalIds}::text[])`.execute(trx)
}

/** Deletes the kept entries of the timeline of a contact. Returns their number. */
export async function deleteKeptEntries(trx: Transaction, contactId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('timeline_entry').where('contact_id', '=', contactId).executeTakeFirst()
  return Number(numDeletedRows)
}
