import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import type { StoredPostings, Term } from './base-index.ts'
import { everyChunk } from './write.ts'

interface PostingRow {
  readonly term: string
  readonly language: string
  readonly generation: number
  readonly entries: Buffer
}

/** Where the terms stand in all generations of the base, live or not. */
export async function readPostings(ctx: Context, baseId: string, terms: readonly Term[]): Promise<StoredPostings[]> {
  // Each term is one look into the index: without statistics the planner would read the postings of all terms instead.
  const rows = await selectSql(
    ctx,
    sql<PostingRow>`
    select p.term, p.language, p.generation, array_send(p.entries) as entries
    from ${asRows(terms)} as q (term, language)
    cross join lateral (
      select term, language, generation, entries from posting
      where organization_id = (select app_organization()) and base_id = ${baseId}::uuid and term = q.term collate "C"
      offset 0
    ) as p
    where p.language = q.language`,
  )
  return rows.map(toPostings)
}

/** Where the terms stand in these generations. */
export async function readPostingsOf(ctx: Context, generations: readonly number[], terms: readonly Term[]): Promise<StoredPostings[]> {
  const rows = await selectSql(
    ctx,
    sql<PostingRow>`
    select term, language, generation, array_send(entries) as entries from posting
    where organization_id = (select app_organization()) and generation = any(${generations}::bigint[])
      and (term, language) in (select * from ${asRows(terms)} as q)`,
  )
  return rows.map(toPostings)
}

const asRows = (terms: readonly Term[]) =>
  sql`unnest(${terms.map(({ term }) => term)}::text[], ${terms.map(({ language }) => language)}::text[])`

function toPostings({ entries, ...row }: PostingRow): StoredPostings {
  const { ordinals, low } = entriesIn(entries)
  return { ...row, ordinals, frequencies: Uint16Array.from(low, (each) => each & 0xfff) }
}

export interface GenerationLengths {
  readonly generation: number
  readonly languages: readonly string[]
  readonly ordinals: Int32Array
  readonly lengths: Int32Array
}

/** How many terms each chunk of these generations has, by ordinal. */
export async function readLengths(ctx: Context, generations: readonly number[]): Promise<GenerationLengths[]> {
  const rows = await selectSql(
    ctx,
    sql<{ generation: number; languages: string[]; entries: Buffer }>`
    select generation, array_agg(distinct language) as languages, array_send(array_agg(entry order by entry)) as entries
    from posting, unnest(entries) as e (entry)
    where organization_id = (select app_organization()) and generation = any(${generations}::bigint[]) and term = ${everyChunk}
    group by generation`,
  )
  return rows.map(({ entries, ...row }) => {
    const { ordinals, low } = entriesIn(entries)
    return { ...row, ordinals, lengths: Int32Array.from(low, (each) => each >>> 12) }
  })
}

export interface StoredVector {
  readonly generation: number
  readonly ordinal: number
  readonly vector: Float32Array
}

/** The vectors of these generations, of any order. */
export async function readVectors(ctx: Context, baseId: string, generations: readonly number[]): Promise<StoredVector[]> {
  const rows = await selectSql(
    ctx,
    sql<{ generation: number; ordinal: number; vector: Buffer }>`
    select generation, ordinal, vector_send(embedding) as vector from chunk_embedding
    where organization_id = (select app_organization()) and base_id = ${baseId}::uuid and generation = any(${generations}::bigint[])`,
  )
  return rows.map(({ vector, ...row }) => ({ ...row, vector: numbersIn(vector) }))
}

/** As the database sends an array of bigint: a header, then the length of each number before it. */
function entriesIn(sent: Buffer): { ordinals: Int32Array; low: Uint32Array } {
  const count = Math.max(0, (sent.length - 20) / 12)
  const ordinals = new Int32Array(count)
  const low = new Uint32Array(count)
  for (let at = 0, offset = 24; at < count; at++, offset += 12) {
    ordinals[at] = sent.readInt32BE(offset)
    low[at] = sent.readUInt32BE(offset + 4)
  }
  return { ordinals, low }
}

/** As the database sends a vector: how many numbers, then the numbers. */
function numbersIn(sent: Buffer): Float32Array {
  const numbers = new Float32Array(sent.readUInt16BE(0))
  for (let at = 0; at < numbers.length; at++) numbers[at] = sent.readFloatBE(4 + at * 4)
  return numbers
}
