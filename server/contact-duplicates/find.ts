import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { likenessOf, type Likeness } from './confidence.ts'
import { hashOf, keyTextsOf, matchValuesOf, valueKey, type MatchedColumns, type MatchValues } from './match-values.ts'

/** Contacts that are compared in one transaction. */
const batchSize = 100
/** Contacts with one key that are all compared with each other. */
const maxCompared = 50
/** Of a key with more contacts, those are compared that share another key. Keys of still more contacts say nothing. */
const maxSharing = 500
/** Pairs below it are not stored. */
const minStored = 0.5

/**
 * Compares the next contacts that were written with those that share a number, an address, or a word of the name and a company, and
 * stores the pairs that can be the same person. The time for a contact is bounded, however many contacts share a value.
 * @returns whether contacts are left; false also if another worker compares those of the organization
 */
export function compareNextContacts(ctx: Context): Promise<boolean> {
  return withTransaction(ctx, async (trx) => {
    // Each comparison sees the keys of all earlier ones.
    const { rows: locks } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(5, hashtext(${ctx.organizationId})) as locked`.execute(trx)
    if (locks[0]?.locked !== true) return false
    // The newest first: those that were just written do not wait for an import.
    const queued = await trx.selectFrom('contact_to_compare').select(['id', 'contact_id']).orderBy('id', 'desc').limit(batchSize).execute()
    if (queued.length === 0) return false
    const ids = [...new Set(queued.map(({ contact_id }) => contact_id))]
    const values = await readValues(trx, ids)
    const pairs = await findPairs(trx, ids, values)
    await storePairs(ctx, trx, ids, pairs)
    await sql`delete from contact_to_compare where id = any (${queued.map(({ id }) => id)}::bigint[])`.execute(trx)
    return queued.length === batchSize
  })
}

/** Returns the contacts that are not deleted. */
async function readValues(trx: Transaction, ids: readonly string[]): Promise<Map<string, MatchValues>> {
  if (ids.length === 0) return new Map()
  const forms = (column: 'first_name' | 'last_name') => {
    const ref = sql.ref(`contact.${column}`)
    const [first, last] = column === 'first_name' ? [ref, sql`null`] : [sql`null`, ref]
    return sql`case when octet_length(${ref}) > length(${ref}) then to_jsonb(contact_name_forms(${first}, ${last})) end`
  }
  const { rows } = await sql<MatchedColumns>`
    select contact.id, first_name, last_name, email, emails, contact.phone, phones, contact.address, company.name as company_name,
      company.domains as company_domains,
      ${forms('first_name')} as first_forms, ${forms('last_name')} as last_forms
    from contact left join company on company.id = contact.company_id and company.deleted_at is null
    where contact.id = any (${ids}::uuid[]) and contact.deleted_at is null`.execute(trx)
  return new Map(rows.map((row) => [row.id, matchValuesOf(row)]))
}

interface Pair extends Likeness {
  readonly firstId: string
  readonly secondId: string
}

async function findPairs(trx: Transaction, ids: readonly string[], values: ReadonlyMap<string, MatchValues>): Promise<Pair[]> {
  const hashes = new Map<string, string>()
  const keysOf = new Map(
    [...values.values()].map((each) => {
      const texts = keyTextsOf(each)
      for (const text of texts) if (!hashes.has(text)) hashes.set(text, hashOf(text))
      return [each.id, texts]
    }),
  )
  const owned = [...keysOf].flatMap(([id, texts]) => texts.map((text) => [id, hashes.get(text)] as const))
  await sql`select store_contact_match_keys(${ids}::uuid[], ${owned.map(([id]) => id)}::uuid[],
    ${owned.map(([, hash]) => hash)}::bigint[])`.execute(trx)
  const texts = [...hashes.keys()]
  const { rows } = await sql<{ at: number; contact_id: string }>`
    select at, contact_id from contacts_with_match_keys(${[...hashes.values()]}::bigint[], ${maxSharing + 1}::integer)`.execute(trx)
  const groups = new Map<string, string[]>()
  for (const { at, contact_id } of rows) {
    const text = texts[at - 1] ?? ''
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [contact_id])
    else group.push(contact_id)
  }
  const partners = new Map([...keysOf].map(([id, keys]) => [id, partnersOf(id, keys, groups)]))
  const missing = [...new Set([...partners.values()].flat())].filter((id) => !values.has(id))
  const all = new Map([...values, ...(await readValues(trx, missing))])
  const pairs = new Map<string, Pair>()
  for (const [id, others] of partners) {
    for (const otherId of others) {
      const [contact, other] = [all.get(id), all.get(otherId)]
      const [firstId, secondId] = id < otherId ? [id, otherId] : [otherId, id]
      if (contact === undefined || other === undefined || pairs.has(firstId + secondId)) continue
      const likeness = likenessOf(contact, other, (value) => groups.get(valueKey(value))?.length ?? 0)
      if (likeness.confidence >= minStored) pairs.set(firstId + secondId, { firstId, secondId, ...likeness })
    }
  }
  return [...pairs.values()]
}

/** Returns the contacts that share a key of a few contacts, or two keys of more. */
function partnersOf(id: string, keys: readonly string[], groups: ReadonlyMap<string, readonly string[]>): string[] {
  const counts = new Map<string, number>()
  for (const key of keys) {
    const group = groups.get(key) ?? []
    if (group.length > maxSharing) continue
    const weight = group.length > maxCompared ? 1 : 2
    for (const other of group) if (other !== id) counts.set(other, (counts.get(other) ?? 0) + weight)
  }
  return [...counts].flatMap(([other, count]) => (count >= 2 ? [other] : []))
}

/** Stores the pairs of the contacts, and deletes those that are none any more. Dismissed pairs stay dismissed. */
async function storePairs(ctx: Context, trx: Transaction, ids: readonly string[], pairs: readonly Pair[]): Promise<void> {
  const now = ctx.now()
  const wanted = pairs.flatMap(({ firstId, secondId }) => [firstId, secondId])
  // In the order of merges, which lock several contacts too.
  const { rows: locked } = await sql<{ id: string }>`
    select id from contact where id = any (${wanted}::uuid[]) and deleted_at is null order by id for key share`.execute(trx)
  const present = new Set(locked.map(({ id }) => id))
  const existing = pairs.filter(({ firstId, secondId }) => present.has(firstId) && present.has(secondId))
  const rows = existing.map(({ firstId, secondId, confidence, reasons }) => ({
    id: newId(now.getTime()),
    first_id: firstId,
    second_id: secondId,
    confidence,
    reasons,
  }))
  await sql`
    with found as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as found (id uuid, first_id uuid, second_id uuid, confidence real, reasons text[])
    ), removed as (
      delete from contact_duplicate as pair
      where pair.status = 'open' and (pair.first_id = any (${ids}::uuid[]) or pair.second_id = any (${ids}::uuid[]))
        and not exists (select from found where found.first_id = pair.first_id and found.second_id = pair.second_id)
    )
    insert into contact_duplicate (organization_id, id, first_id, second_id, confidence, reasons, status, created_at)
    select ${ctx.organizationId}::uuid, found.id, first_id, second_id, confidence, reasons, 'open', ${now}::timestamptz from found
    on conflict (organization_id, first_id, second_id) do update set confidence = excluded.confidence, reasons = excluded.reasons
    where (contact_duplicate.confidence, contact_duplicate.reasons) is distinct from (excluded.confidence, excluded.reasons)`.execute(trx)
}
