import { wireId, type SearchBase, type SearchHit, type SearchReply } from '@groundwork/api'
import { highlighter, type Highlight } from './highlights.ts'
import { late, type LatencyBudget } from './latency-budget.ts'
import type { Retrieved } from './retrieve.ts'
import type { RerankedHit } from './rerank-hits.ts'
import type { DistinctHit } from './search-chunks.ts'

export interface Assembly {
  readonly query: string
  readonly input: SearchBase
  /** Of `performance.now()`. */
  readonly startedAt: number
  readonly budget: LatencyBudget
  readonly retrieved: Retrieved
  /** Null without reranking, `late` when the reranker missed the deadline. */
  readonly reranked: readonly RerankedHit[] | null | typeof late
}

/** Time that the highlights of one hit take, with a margin. */
const highlightMs = 0.1

/** Returns the reply of a search: the best hits, the timings, and the names of the parts that were left out. */
export function assembleReply({ query, input, startedAt, budget, retrieved, reranked }: Assembly): SearchReply {
  const rerankedAt = performance.now()
  const {
    embedded,
    hybridSearch,
    topK,
    similarityThreshold,
    rerank,
    extras,
    hits: found,
    confidence,
    isLagging,
    question,
    embeddedAt,
    searchedAt,
  } = retrieved
  const scored = reranked === null || reranked === late ? found : reranked
  const best = scored === late ? [] : scored.slice(0, topK)
  const hits = best.filter(({ score }) => score >= similarityThreshold)
  const hasHighlights = reranked !== late && budget.leftMs() > hits.length * highlightMs
  const highlight = hasHighlights && question !== null ? highlighter(question) : () => []
  const data = hits.map((hit) => toSearchHit(hit, highlight(hit)))
  const leftOut = {
    vector: embedded.some(({ vector }) => vector === null) || best.some(({ scores }) => scores.vector === null),
    rerank: rerank && (scored === found || scored === late),
    neighbours: (input.neighbours ?? 0) > 0 && extras.neighbours === undefined,
    explain: input.explain === true && extras.explain === undefined,
    highlights: !hasHighlights && hits.length > 0,
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
    scoredBy: scored !== found ? 'rerank' : isLexical ? 'lexical' : hybridSearch ? 'hybrid' : 'vector',
    timings: {
      embedMs: rounded(embeddedAt - startedAt),
      searchMs: rounded(searchedAt - embeddedAt),
      rerankMs: extras.rerank ? rounded(rerankedAt - searchedAt) : 0,
      assembleMs: rounded(endedAt - rerankedAt),
      totalMs: rounded(endedAt - startedAt),
    },
    degraded: Object.entries(leftOut).flatMap(([part, isLeftOut]) => (isLeftOut ? [part] : [])),
  }
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100

function toSearchHit({ language: _language, ...hit }: DistinctHit | RerankedHit, highlights: Highlight[]): SearchHit {
  const { chunkId, sourceId, baseId, neighbours } = hit
  const found = { ...hit, highlights, chunkId: wireId('chk', chunkId), sourceId: wireId('src', sourceId), baseId: wireId('kb', baseId) }
  if (neighbours === undefined) return found
  return { ...found, neighbours: { before: neighbours.before.map(withWireId), after: neighbours.after.map(withWireId) } }
}

const withWireId = <T extends { chunkId: string }>(passage: T): T => ({ ...passage, chunkId: wireId('chk', passage.chunkId) })
