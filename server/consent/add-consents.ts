import type { Channel, ConsentState, RecordConsent } from '@groundwork/api'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { authorOf } from '../audit/entry.ts'
import type { ContactRow } from '../contacts/record.ts'
import type { Context } from '../context.ts'
import type { ConsentChangeTable, Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { withdrawMailsTo } from '../proposals/mail/withhold.ts'

export type StoredConsent = Selectable<ConsentChangeTable>

/** An entry for the history of the consent of a contact. Ids are those of rows. */
export interface NewConsent {
  readonly contactId: string
  readonly channel: Channel
  readonly state: ConsentState
  readonly at: Date
  readonly source: string | null
  readonly wording: string | null
  /** Public id of the job or import that records it. */
  readonly reference: string | null
}

/** SQL for the latest state of each channel of a contact, without unknown ones; null if all are unknown. */
const latestStates = (contactId: RawBuilder<unknown>) => sql`(
  select jsonb_object_agg(channel, state) from (
    select distinct on (channel) channel, state from consent_change where contact_id = ${contactId}
    order by channel, at desc, created_at desc, id desc) as latest
  where state <> 'unknown')`

/** Sets the consent of a contact, which the transaction has locked, to the latest entries of its history. */
export async function refreshConsent(trx: Transaction, contactId: string): Promise<void> {
  const id = sql`${contactId}::uuid`
  await sql`update contact set consent = ${latestStates(id)} where id = ${id}`.execute(trx)
}

/**
 * Adds entries to the histories of contacts, which the transaction has locked. Messages that wait to be sent to contacts who now deny
 * email are withdrawn. Returns the rows of the contacts by their ids. The caller emits the events.
 */
export async function addConsents(ctx: Context, trx: Transaction, entries: readonly NewConsent[]): Promise<Map<string, ContactRow>> {
  if (entries.length === 0) return new Map()
  const now = ctx.now()
  const author = authorOf(ctx)
  const given = entries.map(({ contactId, ...entry }) => ({ ...entry, id: newId(now.getTime()), contact_id: contactId }))
  await sql`
    insert into consent_change
      (organization_id, id, contact_id, channel, state, at, source, wording, reference, actor_type, actor_id, created_at)
    select ${ctx.organizationId}::uuid, id, contact_id, channel, state, at, source, wording, reference,
      ${author.type}, ${author.id}::uuid, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as given (id uuid, contact_id uuid, channel text, state text, at timestamptz, source text, wording text, reference text)`.execute(trx)
  const ids = [...new Set(entries.map(({ contactId }) => contactId))]
  const { rows } = await sql<ContactRow>`
    update contact set consent = ${latestStates(sql.ref('contact.id'))}, updated_at = ${now}
    where id = any (${ids}::uuid[]) returning *`.execute(trx)
  const refusing = rows.filter(({ consent }) => consent?.email === 'denied')
  if (refusing.length > 0)
    await withdrawMailsTo(
      trx,
      refusing.map(({ id }) => id),
    )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether an entry equals the latest one of its channel, as that of a repeated request does. */
export function isKnown(latest: StoredConsent | undefined, { state, at, source, wording }: Omit<RecordConsent, 'channel'>): boolean {
  if (latest === undefined) return false
  const isSameTime = at === undefined || new Date(at).getTime() === latest.at.getTime()
  return latest.state === state && isSameTime && latest.source === (source ?? null) && latest.wording === (wording ?? null)
}

/** Returns the entries of contacts, ordered so that the last one of a channel is its present state. */
export async function consentsOf(trx: Transaction, contactIds: readonly string[]): Promise<StoredConsent[]> {
  return trx
    .selectFrom('consent_change')
    .selectAll()
    .where(sql<boolean>`contact_id = any (${contactIds}::uuid[])`)
    .orderBy('at')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
