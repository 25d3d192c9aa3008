import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { normalizeText } from '../../lib/normalize-text.ts'
import type { KnowledgeContext } from '../context.ts'
import type { EmbeddedQuery } from './embedded-query.ts'
import type { ScoreParts } from './explain.ts'
import type { HighlightedQuestion } from './highlight-question.ts'
import { isSearched, type BaseScope } from '../index/search-scope.ts'
import {
  neighboursOf,
  passageColumns,
  toNeighbours,
  toPassage,
  type NeighbourRow,
  type Neighbours,
  type Passage,
  type PassageRow,
} from './passage.ts'
import { analysisLanguage } from '../index/analyze.ts'
import { comparedModel } from '../index/compared-model.ts'
import { EngineUnavailable } from '../engine/opensearch.ts'
import { findIn, type FoundChunks, type IndexQuery } from '../index/find-chunks.ts'
import type { RankedChunk } from '../index/rank.ts'
import type { Calibration } from '../index/scoring.ts'
import { fitsMemory, inEngine } from './indexed.ts'

export interface ChunkQuery {
  readonly baseIds: readonly string[]
  /** The scope to search, as `readSearchScope` returned it. */
  readonly scope: readonly BaseScope[]
  /** The re-index whose index is searched. */
  readonly reindexId?: string | undefined
  /** Called before the passages are read, to send another statement with the same round trip. */
  readonly onReadPassages?: (() => void) | undefined
  /** The query by embedding model, see `QueryEmbedder`. Chunks with vectors of other models are found by their terms. */
  readonly embedded: readonly EmbeddedQuery[]
  readonly queryText: string
  /** Whether the last word may be unfinished. */
  readonly partial?: boolean | undefined
  /** Earlier questions of the conversation: their terms count less. */
  readonly earlierText?: string | undefined
  readonly topK: number
  /** Whether BM25 takes part beside vectors. */
  readonly hybridSearch: boolean
  /** Maximum hits of one source. */
  readonly perSourceLimit?: number | undefined
  /** Number of chunks before and after each hit to return with it. */
  readonly neighbours?: number | undefined
  /** Include how each score was computed. */
  readonly explain?: boolean | undefined
  /** Starts no further work once it is aborted. */
  readonly signal?: AbortSignal | undefined
}

export interface Hit extends Passage {
  /** 0 to 1, see `searchChunks`. */
  score: number
  /** What the score is computed from, 0 to 1. */
  relevance: number
  calibration: Calibration
  /** The language that the text was analyzed in. */
  language: string
  /** The parts of the score, each 0 to 1; null for a part that took no part or could not be computed. */
  scores: { vector: number | null; lexical: number | null; agreement: number | null }
  /** Only with `neighbours`. */
  neighbours?: Neighbours
  /** Only with `explain`. */
  parts?: ScoreParts
}

export interface FoundHits<T extends Hit = Hit> {
  readonly hits: T[]
  /** 0 to 1, see `searchChunks`. */
  readonly confidence: number
  /** Whether every hit still existed when it was read, with vectors of the models of the scope. */
  readonly complete: boolean
  /** Whether the search engine has yet to follow changes of the knowledge bases. */
  readonly isLagging: boolean
  /** The question, with the weights of its terms in the searched knowledge bases. */
  readonly question: HighlightedQuestion
}

/**
 * Returns the chunks of the enabled sources that answer a query best, best first.
 *
 * `score` is on one scale, 0 to 1, for searches of all kinds. It is a calibrated value of the relevance that ranks the
 * chunks: (match + 0.4 × agreement) / 1.4. The match is the weighted mean of
 * - vector: the cosine, rescaled so that the embedder's `unrelatedCosine` is 0, weight 1
 * - lexical: s / (s + 20) for the BM25 score s, weight 2.5; left out without `hybridSearch`
 *
 * The agreement is the mean cosine with the two best matches, each weighted by its match (pseudo-relevance feedback). Without
 * `hybridSearch` or without vectors, the relevance is the match alone. The weights of vector and agreement are multiplied by
 * the competence of the embedding model in the languages of query and chunk; at 0, the relevance is the lexical part. All hits
 * have the same calibration: that of lexical searches if vectors take part in no score of the knowledge bases.
 *
 * The best sentences of the best hits are added later, see `orderBySentences`.
 *
 * A score depends only on the query, the chunk and the knowledge bases. Filters change no score, and a larger `topK` only
 * extends the list. Equal scores are ordered by age of the index, then by position in the document.
 *
 * `confidence` is the probability that the best matches answer the query, 0 to 1. It is computed from the hybrid matches of
 * the whole knowledge bases, so it does not depend on `hybridSearch`, filters and `topK`.
 *
 * Chunks are ranked in memory, and hits are read from the database: deleted, disabled or replaced chunks are not returned.
 * `complete` is false if there were any.
 */
export async function searchChunks(ctx: KnowledgeContext, query: ChunkQuery): Promise<FoundHits> {
  const { neighbours = 0, explain = false, embedded } = query
  const indexQuery = {
    baseIds: query.baseIds,
    scope: query.scope,
    compared: embedded.map(({ embedder, vector, competence }) => ({ model: comparedModel(embedder), vector, competence })),
    queryText: query.queryText,
    partial: query.partial ?? false,
    earlierText: query.earlierText ?? '',
    topK: query.topK,
    lexical: query.hybridSearch,
    perSourceLimit: query.perSourceLimit ?? null,
    explain,
  }
  const { followsChanges, ...found } = await find(ctx, indexQuery, query)
  const { chunks: ranked, terms, scale, groupWeights, confidence, hasSameModels } = found
  query.signal?.throwIfAborted()
  query.onReadPassages?.()
  const startedAt = performance.now()
  const passages = await readPassages(ctx, ranked, { neighbours, reindexId: query.reindexId })
  ctx.measurements.searchStep('passages', (performance.now() - startedAt) / 1000)
  const hits = ranked.flatMap(
    ({ generation, ordinal, score, relevance, calibration, vector, lexical: lexicalScore, feedback, cosine, contributions, weights }) => {
      const row = passages.get(`${generation} ${ordinal}`)
      if (row === undefined) return []
      const scores = { vector, lexical: weights.lexical > 0 ? lexicalScore : null, agreement: feedback }
      const hit: Hit = { ...toPassage(row), language: analysisLanguage(row.language), score, relevance, calibration, scores }
      if (contributions !== null)
        hit.parts = { vector: vector ?? 0, lexical: lexicalScore, feedback, cosine, contributions, weights, terms, scale }
      if (row.neighbours !== null) hit.neighbours = toNeighbours(row.neighbours, row.title)
      return hit
    },
  )
  const isLagging = followsChanges && query.scope.some(({ lag }) => lag !== 'none')
  const question = { text: query.queryText, terms, weights: groupWeights }
  return { hits, confidence, complete: passages.size === ranked.length && hasSameModels, isLagging, question }
}

/** Until the search engine may answer again. */
const retryAfterSeconds = 5

/** Finds the chunks in the search engine, if there is one, or in memory. `followsChanges` tells whether the engine has found them. */
async function find(
  ctx: KnowledgeContext,
  query: IndexQuery,
  { reindexId, signal }: Pick<ChunkQuery, 'reindexId' | 'signal'>,
): Promise<FoundChunks & { readonly followsChanges: boolean }> {
  const { searchEngine } = ctx
  const inMemory = async () => ({ ...(await ctx.indexes.find(ctx, query, signal)), followsChanges: false })
  // The engine has no unfinished indexes.
  if (searchEngine === null || reindexId !== undefined) return inMemory()
  // Before the engine has most of a knowledge base, its answers would lack most passages.
  if (query.scope.some(({ lag }) => lag === 'most') && (await fitsMemory(ctx, searchEngine, query))) return inMemory()
  try {
    const found = await findIn(ctx, query, inEngine(ctx, searchEngine, query, signal), searchEngine.scratch, signal)
    return { ...found, followsChanges: true }
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    signal?.throwIfAborted()
    ctx.log.warn({ err: error }, 'the search engine does not answer a search')
    if (!(await fitsMemory(ctx, searchEngine, query)))
      throw new AppError('unavailable', 'The search engine does not answer. Try again shortly.', { retryAfterSeconds, cause: error })
    return inMemory()
  }
}

type FoundRow = PassageRow & {
  readonly generation: number
  readonly ordinal: number
  readonly language: string | null
  readonly neighbours: NeighbourRow[] | null
}

/** Returns the chunks that are still live, by generation and ordinal. */
async function readPassages(
  ctx: Context,
  ranked: readonly RankedChunk[],
  { neighbours, reindexId }: { neighbours: number; reindexId: string | undefined },
): Promise<Map<string, FoundRow>> {
  if (ranked.length === 0) return new Map()
  const rows = await selectSql(
    ctx,
    sql<FoundRow>`
    select c.generation, c.ordinal, coalesce(p.language, s.language) as language, ${passageColumns}, ${neighbours === 0 ? sql`null` : neighboursOf(neighbours)} as neighbours
    from unnest(${ranked.map(({ generation }) => generation)}::bigint[], ${ranked.map(({ ordinal }) => ordinal)}::integer[]) as t (generation, ordinal)
    join chunk c on c.organization_id = (select app_organization()) and c.generation = t.generation and c.ordinal = t.ordinal
    join source s on s.organization_id = c.organization_id and s.id = c.source_id and ${isSearched(reindexId)}
    left join source_page p on p.organization_id = c.organization_id and p.id = c.page_id`,
    { plannedOnce: true },
  )
  return new Map(rows.map((row) => [`${row.generation} ${row.ordinal}`, row]))
}

export interface DistinctHit extends Hit {
  /** Number of other hits with the same text that rank above the last distinct hit, which were left out. */
  duplicates: number
}

/** Additional hits to retrieve if the last search of the knowledge bases found duplicates; more duplicates need a second search. */
const spare = 4
/** Sets of knowledge bases with duplicates in the cache. */
const maxWithDuplicates = 10_000
/** Hits that are retrieved to find distinct ones. */
const maxDepth = 1000

/**
 * Returns the hits of `searchChunks` with equal texts collapsed into the best one. Distinct hits come from further down the
 * same order, so a larger `topK` only extends the list, although it may count more duplicates of earlier hits.
 * `complete` is false if a hit was deleted or replaced during the search.
 */
export async function searchDistinct(
  ctx: KnowledgeContext,
  query: ChunkQuery,
  { collapse = true }: { collapse?: boolean } = {},
): Promise<FoundHits<DistinctHit>> {
  if (!collapse) {
    const { hits, ...found } = await searchChunks(ctx, query)
    return { ...found, hits: hits.map((hit) => ({ ...hit, duplicates: 0 })) }
  }
  const { withDuplicates } = ctx.indexes
  const bases = query.baseIds.join(' ')
  for (let depth = query.topK + (withDuplicates.has(bases) ? spare : 0); ; depth = Math.min(depth * 4, maxDepth)) {
    const { hits, complete, confidence, isLagging, question } = await searchChunks(ctx, { ...query, topK: depth })
    const distinct = collapseDuplicates(hits, query.topK)
    if (complete && distinct.length < query.topK && hits.length === depth && depth < maxDepth) continue
    if (!distinct.some(({ duplicates }) => duplicates > 0)) withDuplicates.delete(bases)
    else if (withDuplicates.size < maxWithDuplicates) withDuplicates.add(bases)
    return { hits: distinct, confidence, complete, isLagging, question }
  }
}

function collapseDuplicates(hits: readonly Hit[], limit: number): DistinctHit[] {
  const distinct: DistinctHit[] = []
  const byPrefix = new Map<number, DistinctHit[]>()
  for (const hit of hits) {
    if (distinct.length === limit) break
    const prefix = prefixHash(hit.text)
    const alike = byPrefix.get(prefix)
    // Whole texts are compared only if their prefixes are equal: comparing all would be a large part of the search.
    const text = alike === undefined ? '' : normalizeText(hit.text)
    const known = alike?.find((other) => normalizeText(other.text) === text)
    if (known !== undefined) {
      known.duplicates += 1
      continue
    }
    const one = { ...hit, duplicates: 0 }
    distinct.push(one)
    if (alike === undefined) byPrefix.set(prefix, [one])
    else alike.push(one)
  }
  return distinct
}

const prefixLength = 24
// eslint-disable-next-line no-control-regex
const isAscii = /^[\x00-\x7f]*$/

/** Returns a hash of the first letters of a text: equal texts have equal hashes. */
function prefixHash(text: string): number {
  const start = text.slice(0, 4 * prefixLength)
  return hashOfLetters(isAscii.test(start) ? start.toLowerCase() : normalizeText(start)) ?? hashOfLetters(normalizeText(text), 0) ?? 0
}

/** Returns the FNV-1a hash of the first letters (Fowler, Noll and Vo); undefined if there are fewer than `minLetters`. */
function hashOfLetters(plain: string, minLetters = prefixLength): number | undefined {
  let [hash, letters] = [0x811c9dc5, 0]
  for (let at = 0; at < plain.length && letters < prefixLength; at++) {
    const unit = plain.charCodeAt(at)
    if (unit <= 32) continue
    hash = Math.imul(hash ^ unit, 0x01000193)
    letters += 1
  }
  return letters < minLetters ? undefined : hash
}
