import { wireId, type SearchBase, type SearchHit, type SearchReply } from '@groundwork/api'
import { toExplanation } from './explain.ts'
import type { Highlight } from './highlights.ts'
import { late, type LatencyBudget } from './latency-budget.ts'
import { comparisonMs, type Ordered, type OrderedHit } from './order-by-sentences.ts'
import type { Retrieved } from './retrieve.ts'
import type { RerankedHit } from './rerank-hits.ts'

export interface Assembly {
  readonly query: string
  readonly input: SearchBase
  /** Of `performance.now()`. */
  readonly startedAt: number
  readonly budget: LatencyBudget
  readonly retrieved: Retrieved
  readonly ordered: Ordered
  /** Null without reranking, `late` when the reranker missed the deadline. */
  readonly reranked: readonly RerankedHit[] | null | typeof late
}

/** Returns the reply of a search: the best hits, the timings, and the names of the parts that were left out. */
export function assembleReply({ query, input, startedAt, budget, retrieved, ordered, reranked }: Assembly): SearchReply {
  const rerankedAt = performance.now()
  const { embedded, hybridSearch, topK, similarityThreshold, rerank, extras, confidence, isLagging, embeddedAt, searchedAt } = retrieved
  const { hits: found, compare, orderedAt } = ordered
  const isReranked = reranked !== null && reranked !== late
  const scored = isReranked ? reranked : found
  const best = scored === late ? [] : scored.slice(0, topK)
  const hits = best.filter(({ score }) => score >= similarityThreshold)
  const isComparing = reranked !== late && budget.leftMs() > hits.length * comparisonMs
  const highlightsOf = (hit: OrderedHit): Highlight[] | undefined => hit.highlights ?? (isComparing ? compare?.(hit).highlights : undefined)
  const highlighted = hits.map((hit) => ({ hit, highlights: highlightsOf(hit) }))
  const data = highlighted.map(({ hit, highlights }) => toSearchHit(hit, highlights ?? []))
  const leftOut = {
    vector: embedded.some(({ vector }) => vector === null) || best.some(({ scores }) => scores.vector === null),
    rerank: rerank && !isReranked,
    neighbours: (input.neighbours ?? 0) > 0 && extras.neighbours === undefined,
    explain: input.explain === true && extras.explain === undefined,
    highlights: highlighted.some(({ highlights }) => highlights === undefined),
    search: found === late,
    index: isLagging,
  }
  const isLexical =
    embedded.every(({ vector }) => vector === null) || (best.length > 0 && best.every(({ scores }) => scores.vector === null))
  const endedAt = performance.now()
  return {
    data,
    query,
    confidence,
    belowThreshold: best.length - hits.length,
    scoredBy: isReranked ? 'rerank' : isLexical ? 'lexical' : hybridSearch ? 'hybrid' : 'vector',
    timings: {
      embedMs: rounded(embeddedAt - startedAt),
      searchMs: rounded(searchedAt - embeddedAt),
      rerankMs: extras.rerank ? rounded(rerankedAt - orderedAt) : 0,
      assembleMs: rounded(orderedAt - searchedAt + endedAt - rerankedAt),
      totalMs: rounded(endedAt - startedAt),
    },
    degraded: Object.entries(leftOut).flatMap(([part, isLeftOut]) => (isLeftOut ? [part] : [])),
  }
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100

function toSearchHit(hit: OrderedHit | RerankedHit, highlights: Highlight[]): SearchHit {
  const { language: _language, relevance: _relevance, calibration: _calibration, parts, neighbours, ...own } = hit
  const { chunkId, sourceId, baseId } = own
  return {
    ...own,
    highlights,
    chunkId: wireId('chk', chunkId),
    sourceId: wireId('src', sourceId),
    baseId: wireId('kb', baseId),
    ...(parts !== undefined && { explanation: toExplanation(parts, hit) }),
    ...(neighbours !== undefined && {
      neighbours: { before: neighbours.before.map(withWireId), after: neighbours.after.map(withWireId) },
    }),
  }
}

const withWireId = <T extends { chunkId: string }>(passage: T): T => ({ ...passage, chunkId: wireId('chk', passage.chunkId) })
