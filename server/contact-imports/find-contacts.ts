import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { lockValues } from '../contacts/lock-values.ts'
import type { ContactRow } from '../contacts/record.ts'
import type { Transaction } from '../db/schema.ts'
import type { ImportRow } from './apply.ts'
import { keysOfContact, matchFields, type MatchField } from './match-key.ts'

export interface Found {
  /** The contacts that have a key. */
  readonly byKey: ReadonlyMap<string, readonly ContactRow[]>
  readonly ownerOfExternalId: ReadonlyMap<string, string>
}

/**
 * Returns the contacts that the rows mean. Except for a dry run, it locks them, and the values that no contact has yet: an upsert of the
 * same value waits until the transaction ends.
 */
export async function findContacts(ctx: Context, trx: Transaction, rows: readonly ImportRow[], isDryRun: boolean): Promise<Found> {
  if (!isDryRun)
    await lockValues(
      ctx,
      trx,
      rows.flatMap(({ keys }) => keys),
    )
  const rowsById = new Map<string, ContactRow>()
  const lock = isDryRun ? sql`` : sql`for update of contact`
  const externalIds = new Set<string>()
  for (const field of matchFields) {
    const values = rows.flatMap((row) => valuesToFind(row, field, externalIds))
    if (values.length === 0) continue
    const { rows: matches } = await sql<ContactRow>`
      select contact.* from contact where contact.id = any (array(select contact_id from contacts_matching(${field}, ${[...new Set(values)]}::text[])))
        and contact.deleted_at is null order by contact.id ${lock}`.execute(trx)
    for (const row of matches) {
      rowsById.set(row.id, row)
      if (row.external_id !== null) externalIds.add(row.external_id)
    }
  }
  for (const row of await namedContacts(trx, rows, lock)) rowsById.set(row.id, row)
  const byKey = new Map<string, ContactRow[]>()
  for (const row of rowsById.values())
    for (const { text } of keysOfContact(row)) {
      const former = byKey.get(text)
      if (former === undefined) byKey.set(text, [row])
      else former.push(row)
    }
  const ownerOfExternalId = new Map(
    [...rowsById.values()].flatMap(({ id, external_id }): [string, string][] => (external_id === null ? [] : [[external_id, id]])),
  )
  return { byKey, ownerOfExternalId }
}

/** Returns the values of the field by which contacts of the row are found. An externalId that a contact has makes others unnecessary. */
function valuesToFind({ keys, values: { externalId } }: ImportRow, field: MatchField, externalIds: ReadonlySet<string>): string[] {
  if (field === 'externalId') return externalId == null ? [] : [externalId]
  return keys.flatMap((key, at) => (key.field === field && (at === 0 || !externalIds.has(externalId ?? '')) ? [key.value] : []))
}

/** Returns the contacts with the full name of a row, and without an address, a number and an externalId. */
async function namedContacts(trx: Transaction, rows: readonly ImportRow[], lock: ReturnType<typeof sql>): Promise<ContactRow[]> {
  const named = rows
    .filter(({ keys }) => keys.some(({ field }) => field === 'name'))
    .map(({ values }) => [values.firstName ?? '', values.lastName ?? ''] as const)
  if (named.length === 0) return []
  const { rows: found } = await sql<ContactRow>`
    select contact.* from contact where deleted_at is null and email is null and phone is null and external_id is null
      and (lower(first_name), lower(last_name)) in (
        select lower(first), lower(last) from unnest(${named.map(([first]) => first)}::text[], ${named.map(([, last]) => last)}::text[])
          as given (first, last))
    order by contact.id ${lock}`.execute(trx)
  return found
}
