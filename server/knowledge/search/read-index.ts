import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import type { StoredPostings, Term } from './base-index.ts'
import { headerBytes, int8Halves, vectorIn } from './binary.ts'
import type { StoredWords } from './base-words.ts'
import { everyChunk, frequencyIn, lengthIn } from './write.ts'

interface PostingRow {
  readonly term: string
  readonly language: string
  /** Generation and number of entries in turn. */
  readonly stretches: string
  readonly entries: Buffer
}

/** The entries of postings `p`, one behind the other. */
const elements = sql`string_agg(substring(array_send(p.entries) from ${sql.lit(headerBytes + 1)}), ''::bytea)`

/** A row a term, however many generations have it: those of a large base are thousands. */
const joinedEntries = sql`string_agg(p.generation || ' ' || cardinality(p.entries), ' ') as stretches,
      ${elements} as entries`

/** Where the terms stand in all generations of the base, live or not. */
export async function readPostings(ctx: Context, baseId: string, terms: readonly Term[]): Promise<StoredPostings[]> {
  // Each term is one look into the index: without statistics the planner would read the postings of all terms instead.
  const rows = await selectSql(
    ctx,
    sql<PostingRow>`
    select p.term, p.language, ${joinedEntries}
    from ${asRows(terms)} as q (term, language)
    cross join lateral (
      select term, language, generation, entries from posting
      where organization_id = (select app_organization()) and base_id = ${baseId}::uuid and term = q.term collate "C"
      offset 0
    ) as p
    where p.language = q.language
    group by p.term, p.language`,
  )
  return rows.map(toPostings)
}

/** Where the terms stand in these generations. */
export async function readPostingsOf(ctx: Context, generations: readonly number[], terms: readonly Term[]): Promise<StoredPostings[]> {
  const rows = await selectSql(
    ctx,
    sql<PostingRow>`
    select p.term, p.language, ${joinedEntries}
    from posting p
    where organization_id = (select app_organization()) and generation = any(${generations}::bigint[])
      and (term, language) in (select * from ${asRows(terms)} as q)
    group by p.term, p.language`,
  )
  return rows.map(toPostings)
}

const asRows = (terms: readonly Term[]) =>
  sql`unnest(${terms.map(({ term }) => term)}::text[], ${terms.map(({ language }) => language)}::text[])`

function toPostings({ stretches, entries, ...row }: PostingRow): StoredPostings {
  const numbers = stretches.split(' ').map(Number)
  const { high: ordinals, low: frequencies } = int8Halves(entries, { elementsOnly: true, ofLow: frequencyIn })
  return {
    ...row,
    stretches: Array.from({ length: numbers.length / 2 }, (_, at) => ({
      generation: numbers[at * 2] ?? 0,
      count: numbers[at * 2 + 1] ?? 0,
    })),
    ordinals,
    frequencies,
  }
}

/** All words of these generations. */
export async function readWords(ctx: Context, generations: readonly number[]): Promise<StoredWords[]> {
  const rows = await selectSql(
    ctx,
    sql<{ generation: number; language: string; terms: string; counts: string; entries: Buffer }>`
    select generation, language, string_agg(term, ' ') as terms, string_agg(cardinality(entries)::text, ' ') as counts,
      ${elements} as entries
    from posting p
    where organization_id = (select app_organization()) and generation = any(${generations}::bigint[]) and term <> ${everyChunk}
    group by generation, language`,
  )
  return rows.map(({ generation, language, terms, counts, entries }) => {
    const { high: ordinals, low: frequencies } = int8Halves(entries, { elementsOnly: true, ofLow: frequencyIn })
    return { generation, language, terms: terms.split(' '), counts: counts.split(' ').map(Number), ordinals, frequencies }
  })
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
    const { high: ordinals, low: lengths } = int8Halves(entries, { ofLow: lengthIn })
    return { ...row, ordinals, lengths }
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
  return rows.map(({ vector, ...row }) => ({ ...row, vector: vectorIn(vector) }))
}
