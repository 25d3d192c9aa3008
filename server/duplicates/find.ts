import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'

/** Records that are compared in one transaction. */
const batchSize = 100
/** Records with one key that are all compared with each other. */
const maxCompared = 50
/** Of a key with more records, those are compared that share another key. Keys of still more records say nothing. */
const maxSharing = 500
/** Pairs after which a transaction compares no further record: the embedded engine writes some thousand pairs in a second. */
const enoughPairs = 1000
/** Pairs below it are not stored. */
const minStored = 0.5

export interface Likeness {
  readonly confidence: number
  readonly reasons: readonly string[]
}

/** A kind of records that are compared with each other. Its tables and functions in the database are named after it. */
export interface ComparedKind<Values> {
  readonly table: 'contact' | 'company'
  readonly plural: 'contacts' | 'companies'
  /** Class of the advisory lock under which one worker compares the records of an organization. */
  readonly lock: number
  /** Returns the records that are not deleted, by id. */
  readonly readValues: (trx: Transaction, ids: readonly string[]) => Promise<Map<string, Values>>
  /** Only records that share one of these texts are compared. */
  readonly keyTextsOf: (values: Values) => string[]
  /** @param countOf returns how many records have a key, at most 501 */
  readonly likenessOf: (a: Values, b: Values, countOf: (keyText: string) => number) => Likeness
}

/**
 * Compares the next records that were written with those that share a key, and stores the pairs that can be the same. The time for a
 * record is bounded, however many records share a value.
 * @returns whether records are left; false also if another worker compares those of the organization
 */
export function compareNext<Values>(ctx: Context, kind: ComparedKind<Values>): Promise<boolean> {
  return withTransaction(ctx, async (trx) => {
    // Each comparison sees the keys of all earlier ones.
    const { rows: locks } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(kind.lock)}, hashtext(${ctx.organizationId})) as locked`.execute(trx)
    if (locks[0]?.locked !== true) return false
    const queue = sql.table(`${kind.table}_to_compare`)
    // The newest first: those that were just written do not wait for an import.
    const { rows: queued } = await sql<{ id: number; record_id: string }>`
      select id, ${sql.ref(`${kind.table}_id`)} as record_id from ${queue} order by id desc limit ${sql.lit(batchSize)}`.execute(trx)
    if (queued.length === 0) return false
    const ids = [...new Set(queued.map(({ record_id }) => record_id))]
    const values = await kind.readValues(trx, ids)
    const { compared, pairs } = await findPairs(trx, kind, ids, values)
    await storePairs(ctx, trx, kind.table, [...compared], pairs)
    const done = queued.filter(({ record_id }) => compared.has(record_id))
    await sql`delete from ${queue} where id = any (${done.map(({ id }) => id)}::bigint[])`.execute(trx)
    return queued.length === batchSize || done.length < queued.length
  })
}

interface Pair extends Likeness {
  readonly firstId: string
  readonly secondId: string
}

/** Returns all pairs of the first records, until there are many. */
async function findPairs<Values>(
  trx: Transaction,
  kind: ComparedKind<Values>,
  ids: readonly string[],
  values: ReadonlyMap<string, Values>,
): Promise<{ compared: ReadonlySet<string>; pairs: Pair[] }> {
  const hashes = new Map<string, string>()
  const keysOf = new Map(
    [...values].map(([id, each]) => {
      const texts = kind.keyTextsOf(each)
      for (const text of texts) if (!hashes.has(text)) hashes.set(text, hashOf(text))
      return [id, texts]
    }),
  )
  const owned = [...keysOf].flatMap(([id, texts]) => texts.map((text) => [id, hashes.get(text)] as const))
  await sql`select ${sql.id(`store_${kind.table}_match_keys`)}(${ids}::uuid[], ${owned.map(([id]) => id)}::uuid[],
    ${owned.map(([, hash]) => hash)}::bigint[])`.execute(trx)
  const texts = [...hashes.keys()]
  const { rows } = await sql<{ at: number; record_id: string }>`
    select at, record_id
    from ${sql.id(`${kind.plural}_with_match_keys`)}(${[...hashes.values()]}::bigint[], ${maxSharing + 1}::integer) as found (at, record_id)`.execute(
    trx,
  )
  const groups = new Map<string, string[]>()
  for (const { at, record_id } of rows) {
    const text = texts[at - 1] ?? ''
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [record_id])
    else group.push(record_id)
  }
  const partners = new Map([...keysOf].map(([id, keys]) => [id, partnersOf(id, keys, groups)]))
  const missing = [...new Set([...partners.values()].flat())].filter((id) => !values.has(id))
  const all = new Map([...values, ...(await kind.readValues(trx, missing))])
  const pairs = new Map<string, Pair>()
  const compared = new Set<string>()
  for (const id of ids) {
    if (pairs.size >= enoughPairs) break
    compared.add(id)
    for (const otherId of partners.get(id) ?? []) {
      const [record, other] = [all.get(id), all.get(otherId)]
      const [firstId, secondId] = id < otherId ? [id, otherId] : [otherId, id]
      if (record === undefined || other === undefined || pairs.has(firstId + secondId)) continue
      const likeness = kind.likenessOf(record, other, (text) => groups.get(text)?.length ?? 0)
      if (likeness.confidence >= minStored) pairs.set(firstId + secondId, { firstId, secondId, ...likeness })
    }
  }
  return { compared, pairs: [...pairs.values()] }
}

/** Returns a number of 64 bits, in which PostgreSQL compares keys. */
const hashOf = (text: string): string => createHash('sha1').update(text).digest().readBigInt64BE().toString()

/** Returns the records that share a key of a few records, or two keys of more. */
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

/** Stores the pairs of the records, and deletes those that are none any more. Dismissed pairs stay dismissed. */
async function storePairs(
  ctx: Context,
  trx: Transaction,
  table: 'contact' | 'company',
  ids: readonly string[],
  pairs: readonly Pair[],
): Promise<void> {
  const now = ctx.now()
  const wanted = pairs.flatMap(({ firstId, secondId }) => [firstId, secondId])
  // In the order of merges, which lock several records too.
  const { rows: locked } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any (${wanted}::uuid[]) and deleted_at is null order by id for key share`.execute(trx)
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
      delete from ${sql.table(`${table}_duplicate`)} as pair
      where pair.status = 'open' and (pair.first_id = any (${ids}::uuid[]) or pair.second_id = any (${ids}::uuid[]))
        and not exists (select from found where found.first_id = pair.first_id and found.second_id = pair.second_id)
    )
    insert into ${sql.table(`${table}_duplicate`)} as pair
      (organization_id, id, first_id, second_id, confidence, reasons, status, created_at)
    select ${ctx.organizationId}::uuid, found.id, first_id, second_id, confidence, reasons, 'open', ${now}::timestamptz from found
    on conflict (organization_id, first_id, second_id) do update set confidence = excluded.confidence, reasons = excluded.reasons
    where (pair.confidence, pair.reasons) is distinct from (excluded.confidence, excluded.reasons)`.execute(trx)
}
