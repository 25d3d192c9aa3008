import { sql } from 'kysely'
import { selectSql, type ReadContext } from '../../context.ts'
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
export async function readPostings(ctx: ReadContext, baseId: string, terms: readonly Term[]): Promise<StoredPostings[]> {
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
export async function readPostingsOf(ctx: ReadContext, generations: readonly number[], terms: readonly Term[]): Promise<StoredPostings[]> {
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

interface TermRow {
  readonly generation: number
  readonly language: string
  readonly terms: string
  readonly counts: string
  readonly entries: Buffer
}

const joinedTerms = sql`generation, language, string_agg(term, ' ') as terms, string_agg(cardinality(entries)::text, ' ') as counts,
      ${elements} as entries`

/**
 * Returns all postings of these generations.
 * @param ordinals only the postings that were written with one of these chunks, which have some others too
 */
export async function readTerms(
  ctx: ReadContext,
  generations: readonly number[],
  ordinals?: StoredSpan['ordinals'],
): Promise<StoredTerms[]> {
  const inSpan =
    ordinals === undefined
      ? sql`true`
      : sql`entries[1] >> 32 <= ${ordinals.last}::bigint and entries[cardinality(entries)] >> 32 >= ${ordinals.first}::bigint`
  const rows = await selectSql(
    ctx,
    sql<TermRow>`
    select ${joinedTerms}
    from posting p
    where organization_id = (select app_organization()) and generation = any(${generations}::bigint[]) and term <> ${everyChunk}
      and ${inSpan}
    group by generation, language`,
  )
  return rows.map(toStoredTerms)
}

function toStoredTerms({ generation, language, terms, counts, entries }: TermRow): StoredTerms {
  const { high: ordinals, low: frequencies } = int8Halves(entries, { elementsOnly: true, mapLow: frequencyIn })
  return { generation, language, terms: terms.split(' '), counts: counts.split(' ').map(Number), ordinals, frequencies }
}

export interface GenerationLengths {
  readonly generation: number
  readonly languages: readonly string[]
  /** The languages of consecutive chunks. */
  readonly runs: readonly LanguageRun[]
  readonly ordinals: Int32Array
  readonly lengths: Int32Array
}

/** Consecutive chunks that were analyzed in one language. */
export interface LanguageRun {
  readonly language: string
  readonly chunks: number
}

/** Returns the lengths of the chunks of these generations in terms, by ordinal. */
export async function readLengths(ctx: ReadContext, generations: readonly number[]): Promise<GenerationLengths[]> {
  const rows = await selectSql(
    ctx,
    sql<{ generation: number; language: string; entries: Buffer }>`
    select generation, language, ${elements} as entries
    from posting p
    where organization_id = (select app_organization()) and generation = any(${generations}::bigint[]) and term = ${everyChunk}
    group by generation, language`,
  )
  const byGeneration = new Map<number, LanguageLengths[]>()
  for (const { generation, language, entries } of rows) {
    const { high: ordinals, low: lengths } = int8Halves(entries, { elementsOnly: true, mapLow: lengthIn })
    byGeneration.set(generation, [...(byGeneration.get(generation) ?? []), { language, ordinals, lengths }])
  }
  return Array.from(byGeneration, ([generation, parts]) => ({ generation, ...inOrder(parts) }))
}

interface LanguageLengths {
  readonly language: string
  readonly ordinals: Int32Array
  readonly lengths: Int32Array
}

/** More than the chunks of any generation. */
const maxChunks = 2 ** 22

/** Sorts chunks by ordinal. The database would take a second for 200,000 chunks, in which the embedded engine answers nobody else. */
function inOrder(parts: readonly LanguageLengths[]): Omit<GenerationLengths, 'generation'> {
  const all = parts.flatMap(({ language, ordinals, lengths }) =>
    Array.from(ordinals, (ordinal, at) => ({ language, ordinal, length: lengths[at] ?? 0 })),
  )
  const keys = Float64Array.from(all, ({ ordinal }, at) => ordinal * maxChunks + at).toSorted()
  const chunks = Array.from(keys, (key) => all[key % maxChunks])
  const runs: { language: string; chunks: number }[] = []
  for (const chunk of chunks) {
    const run = runs.at(-1)
    if (run !== undefined && run.language === chunk?.language) run.chunks++
    else if (chunk !== undefined) runs.push({ language: chunk.language, chunks: 1 })
  }
  return {
    languages: parts.map(({ language }) => language),
    runs,
    ordinals: Int32Array.from(chunks, (chunk) => chunk?.ordinal ?? 0),
    lengths: Int32Array.from(chunks, (chunk) => chunk?.length ?? 0),
  }
}

/** Chunks that one statement reads: 1,000 vectors take the embedded engine 100 ms on a busy machine. */
export const chunksPerRead = 1_000

/** Consecutive chunks of a generation. */
export interface StoredSpan {
  readonly generation: number
  readonly ordinals: { readonly first: number; readonly last: number }
}

export interface StoredVector {
  readonly generation: number
  readonly ordinal: number
  readonly vector: Float32Array
}

/** Returns the vectors of these chunks, in any order. */
export async function readVectors(ctx: ReadContext, baseId: string, spans: readonly StoredSpan[]): Promise<StoredVector[]> {
  const rows = await selectSql(
    ctx,
    sql<{ generation: number; ordinal: number; vector: Buffer }>`
    select e.generation, e.ordinal, vector_send(e.embedding) as vector
    from unnest(${spans.map(({ generation }) => generation)}::bigint[], ${spans.map(({ ordinals }) => ordinals.first)}::integer[],
      ${spans.map(({ ordinals }) => ordinals.last)}::integer[]) as s (generation, first, last)
    cross join lateral (
      select generation, ordinal, embedding from chunk_embedding
      where organization_id = (select app_organization()) and base_id = ${baseId}::uuid and generation = s.generation
        and ordinal between s.first and s.last
      offset 0
    ) as e`,
  )
  return rows.map(({ vector, ...row }) => ({ ...row, vector: vectorIn(vector) }))
}
