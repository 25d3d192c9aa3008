import { sql } from 'kysely'
import { refreshLastInteraction } from '../activities/last-interaction.ts'
import { refreshConsent } from '../consent/add-consents.ts'
import type { Transaction } from '../db/schema.ts'

/** The tables with records of contacts, by the column of a merge with the ids of those that it moved. */
const tables = {
  activity_ids: 'activity',
  proposal_ids: 'proposal',
  recipient_ids: 'proposal_recipient',
  mail_ids: 'mail',
  consent_ids: 'consent_change',
  suggestion_ids: 'contact_suggestion',
} as const

/** The ids of the records that a merge moved. */
type MovedRecords = Record<keyof typeof tables, string[]>

interface Move {
  readonly from: string
  readonly to: string
}

/** Moves all records of a contact to another one. Returns their ids. */
export async function moveRecords(trx: Transaction, { from, to }: Move): Promise<MovedRecords> {
  const moved: Partial<MovedRecords> = {}
  for (const [name, table] of Object.entries(tables) as [keyof MovedRecords, string][]) {
    const { rows } = await sql<{ id: string }>`
      update ${sql.table(table)} set contact_id = ${to}::uuid where contact_id = ${from}::uuid returning id`.execute(trx)
    moved[name] = rows.map(({ id }) => id)
  }
  // Safe cast: the loop sets each of them.
  return moved as MovedRecords
}

/** Moves the records that still exist back. */
export async function moveRecordsBack(trx: Transaction, records: MovedRecords, { from, to }: Move): Promise<void> {
  for (const [name, table] of Object.entries(tables) as [keyof MovedRecords, string][]) {
    await sql`
      update ${sql.table(table)} set contact_id = ${to}::uuid
      where contact_id = ${from}::uuid and id = any (${records[name]}::uuid[])`.execute(trx)
  }
}

/** Moves the timeline of a contact, or of it only the entries that name one of the contacts. Returns the number of entries. */
export async function moveTimeline(trx: Transaction, { from, to }: Move, named: readonly string[] | null): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    select move_timeline(${from}::uuid, ${to}::uuid, ${named}::uuid[]) as moved`.execute(trx)
  return rows[0]?.moved ?? 0
}

/** Sets what a contact shows of its activities and its consent. */
export async function refresh(trx: Transaction, contactId: string): Promise<void> {
  await refreshLastInteraction(trx, contactId)
  await refreshConsent(trx, contactId)
}
