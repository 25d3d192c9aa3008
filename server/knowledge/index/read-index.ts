import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import type { StoredPostings, Term } from './base-index.ts'
import { headerBytes, int8Halves, vectorIn } from './binary-format.ts'
import type { StoredTerms } from './inverted-index.ts'
import { everyChunk, frequencyIn, lengthIn } from './write.ts'

interface PostingRow {
  readonly term: string
  readonly language: string
  /** Pairs of generation and number of entries. */
  readonly parts: string
  readonly entries: Buffer
}

/** The concatenated entries of postings `p`. */
const elements = sql`string_agg(substring(array_send(p.entries) from ${sql.lit(headerBytes + 1)}), ''::bytea)`

/** One row per term: a large knowledge base has thousands of generations. */
const joinedEntries = sql`string_agg(p.generation || ' ' || cardinality(p.entries), ' ') as parts,
      ${elements} as entries`

/** Returns the postings of the terms in all generations of the knowledge base, live or not. */
export async function readPostings(ctx: Context, baseId: string, terms: readonly Term[]): Promise<StoredPostings[]> {
  // One index scan per term: without statistics the planner would read the postings of all terms instead.
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

/** Returns the postings of the terms in these generations. */
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

function toPostings({ parts, entries, ...row }: PostingRow): StoredPostings {
  const numbers = parts.split(' ').map(Number)
  const { high: ordinals, low: frequencies } = int8Halves(entries, { elementsOnly: true, mapLow: frequencyIn })
  return {
    ...row,
    parts: Array.from({ length: numbers.length / 2 }, (_, at) => ({
      generation: numbers[at * 2] ?? 0,
      count: numbers[at * 2 + 1] ?? 0,
    })),
    ordinals,
    frequencies,
  }
}

/** Returns all postings of these generations. */
export async function readTerms(ctx: Context, generations: readonly number[]): Promise<StoredTerms[]> {
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
    const { high: ordinals, low: frequencies } = int8Halves(entries, { elementsOnly: true, mapLow: frequencyIn })
    return { generation, language, terms: terms.split(' '), counts: counts.split(' ').map(Number), ordinals, frequencies }
  })
}

export interface GenerationLengths {
  readonly generation: number
  readonly languages: readonly string[]
  /** The languages of consecutive chunks. */
  readonly runs: readonly LanguageRun[]
  readonly ordinals: Int32Array
  readonly lengths: Int32Array
}

/** Consecutive chunks that were analysed in one language. */
export interface LanguageRun {
  readonly language: string
  readonly chunks: number
}

/** Returns the lengths of the chunks of these generations in terms, by ordinal. */
export async function readLengths(ctx: Context, generations: readonly number[]): Promise<GenerationLengths[]> {
  const rows = await selectSql(
    ctx,
    sql<{ generation: number; languages: string[]; at: number[]; entries: Buffer }>`
    select generation, array_agg(language order by entry) filter (where begins) as languages,
      array_agg(position order by entry) filter (where begins) as at, array_send(array_agg(entry order by entry)) as entries
    from (
      select generation, language, entry, (row_number() over w)::integer - 1 as position,
        language is distinct from lag(language) over w as begins
      from posting, unnest(entries) as e (entry)
      where organization_id = (select app_organization()) and generation = any(${generations}::bigint[]) and term = ${everyChunk}
      window w as (partition by generation order by entry)
    ) as chunks
    group by generation`,
  )
  return rows.map(({ entries, languages, at, generation }) => {
    const { high: ordinals, low: lengths } = int8Halves(entries, { mapLow: lengthIn })
    const runs = languages.map((language, run) => ({ language, chunks: (at[run + 1] ?? ordinals.length) - (at[run] ?? 0) }))
    return { generation, languages: [...new Set(languages)], runs, ordinals, lengths }
  })
}

export interface StoredVector {
  readonly generation: number
  readonly ordinal: number
  readonly vector: Float32Array
}

/** Returns the vectors of these generations, in any order. */
export async function readVectors(ctx: Context, baseId: string, generations: readonly number[]): Promise<StoredVector[]> {
  const rows = await selectSql(
    ctx,
    sql<{ generation: number; ordinal: number; vector: Buffer }>`
    select generation, ordinal, vector_send(embedding) as vector from chunk_embedding
    where organization_id = (select app_organization()) and base_id = ${baseId}::uuid and generation = any(${generations}::bigint[])`,
  )
  return rows.map(({ vector, ...row }) => ({ ...row, vector: vectorIn(vector) }))
}
