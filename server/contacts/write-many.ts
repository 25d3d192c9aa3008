import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import type { ContactRow } from './record.ts'

/** Columns that are written as JSON text (db/schema.ts). */
const jsonColumns: ReadonlySet<string> = new Set(['emails', 'phones', 'address', 'custom_fields'])

export type Columns = Readonly<Record<string, unknown>>

const parsed = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  jsonColumns.has(name) && typeof value === 'string' ? (JSON.parse(value) as unknown) : value,
]
export const withParsedJson = (columns: Columns): Columns => Object.fromEntries(Object.entries(columns).map(parsed))

/** Adds contacts in one statement. All have the same columns. Returns the rows by their ids. */
export async function insertContacts(trx: Transaction, rows: readonly Columns[]): Promise<Map<string, ContactRow>> {
  const [first] = rows
  if (first === undefined) return new Map()
  const names = sql.join(Object.keys(first).map((name) => sql.ref(name)))
  const values = JSON.stringify(rows.map(withParsedJson))
  const { rows: inserted } = await sql<ContactRow>`
    insert into contact (${names}) select ${names} from jsonb_populate_recordset(null::contact, ${values}::jsonb) returning *`.execute(trx)
  return byId(inserted)
}

export interface ContactChange {
  readonly before: ContactRow
  readonly columns: Columns
}

/** Changes contacts, which the transaction has locked, in one statement. Returns the rows by their ids. */
export async function changeContacts(trx: Transaction, changes: readonly ContactChange[], now: Date): Promise<Map<string, ContactRow>> {
  if (changes.length === 0) return new Map()
  const names = [...new Set(['updated_at', ...changes.flatMap(({ columns }) => Object.keys(columns))])].toSorted()
  const rows = changes.map(({ before, columns }) => {
    const after: Columns = { ...before, ...withParsedJson(columns), updated_at: now }
    return { id: before.id, ...Object.fromEntries(names.map((name) => [name, after[name]])) }
  })
  const assignments = sql.join(names.map((name) => sql`${sql.ref(name)} = changed.${sql.ref(name)}`))
  const { rows: changed } = await sql<ContactRow>`
    update contact set ${assignments} from jsonb_populate_recordset(null::contact, ${JSON.stringify(rows)}::jsonb) as changed
    where contact.id = changed.id returning contact.*`.execute(trx)
  return byId(changed)
}

const byId = (rows: readonly ContactRow[]): Map<string, ContactRow> => new Map(rows.map((row) => [row.id, row]))
