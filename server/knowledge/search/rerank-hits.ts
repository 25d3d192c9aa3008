import { embeddingText } from '../chunk/embedding-text.ts'
import type { KnowledgeContext } from '../context.ts'
import type { DistinctHit } from './search-chunks.ts'

export interface RerankedHit extends DistinctHit {
  scores: DistinctHit['scores'] & { rerank: number }
}

/** Number of passages that the reranker reads, independent of `topK`, so that a larger `topK` only extends the list. */
export const rerankedPassages = 50

/**
 * Returns the best hits in order of the reranker's relevance, which becomes their score; equal ones keep their order.
 * Returns null without a reranker, or, with a log entry, if it fails.
 */
export async function rerankHits(
  { reranker, log }: Pick<KnowledgeContext, 'reranker' | 'log'>,
  query: string,
  hits: readonly DistinctHit[],
  signal: AbortSignal,
): Promise<RerankedHit[] | null> {
  if (reranker === null) return null
  const best = hits.slice(0, rerankedPassages)
  const documents = best.map(({ text, citation }) =>
    embeddingText({ text, headingPath: citation.headingPath }, citation.title ?? undefined),
  )
  try {
    const relevances = await reranker.rerank(query, documents, signal)
    return best.map((hit, at) => reranked(hit, relevances[at] ?? 0)).toSorted((a, b) => b.score - a.score)
  } catch (error) {
    if (!signal.aborted) log.error({ err: error }, 'passages could not be reranked')
    return null
  }
}

function reranked({ explanation, ...hit }: DistinctHit, rerank: number): RerankedHit {
  return {
    ...hit,
    score: rerank,
    scores: { ...hit.scores, rerank },
    ...(explanation !== undefined && {
      explanation: { ...explanation, formula: `${explanation.formula}; reranked: score = rerank = ${Number(rerank.toFixed(6))}` },
    }),
  }
}
