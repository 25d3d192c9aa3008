import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { lockValues } from '../contacts/lock-values.ts'
import type { ContactRow } from '../contacts/record.ts'
import type { Transaction } from '../db/schema.ts'
import type { ImportRow } from './apply.ts'
import { keysOf, matchFields } from './match-key.ts'

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
      rows.map(({ key }) => key),
    )
  const rowsById = new Map<string, ContactRow>()
  const lock = isDryRun ? sql`` : sql`for update of contact`
  for (const field of matchFields) {
    const keyed = rows.flatMap(({ key }) => (key.field === field ? [key.value] : []))
    const values = field === 'externalId' ? [...keyed, ...rows.flatMap(({ values: { externalId } }) => externalId ?? [])] : keyed
    if (values.length === 0) continue
    const { rows: matches } = await sql<ContactRow>`
      select contact.* from contact where contact.id = any (array(select contact_id from contacts_matching(${field}, ${[...new Set(values)]}::text[])))
        and contact.deleted_at is null order by contact.id ${lock}`.execute(trx)
    for (const row of matches) rowsById.set(row.id, row)
  }
  for (const row of await namedContacts(trx, rows, lock)) rowsById.set(row.id, row)
  const byKey = new Map<string, ContactRow[]>()
  for (const row of rowsById.values())
    for (const key of keysOf(row)) {
      const former = byKey.get(key)
      if (former === undefined) byKey.set(key, [row])
      else former.push(row)
    }
  const ownerOfExternalId = new Map(
    [...rowsById.values()].flatMap(({ id, external_id }): [string, string][] => (external_id === null ? [] : [[external_id, id]])),
  )
  return { byKey, ownerOfExternalId }
}

/** Returns the contacts with the full name of a row, and without an address, a number and an externalId. */
async function namedContacts(trx: Transaction, rows: readonly ImportRow[], lock: ReturnType<typeof sql>): Promise<ContactRow[]> {
  const named = rows.filter(({ key }) => key.field === 'name').map(({ values }) => [values.firstName ?? '', values.lastName ?? ''] as const)
  if (named.length === 0) return []
  const { rows: found } = await sql<ContactRow>`
    select contact.* from contact where deleted_at is null and email is null and phone is null and external_id is null
      and (lower(first_name), lower(last_name)) in (
        select lower(first), lower(last) from unnest(${named.map(([first]) => first)}::text[], ${named.map(([, last]) => last)}::text[])
          as given (first, last))
    order by contact.id ${lock}`.execute(trx)
  return found
}
