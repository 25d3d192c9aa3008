import type { Context } from '../../context.ts'
import { embeddingText } from '../chunk/embedding-text.ts'
import type { DistinctHit } from './search-distinct.ts'

export interface RerankedHit extends DistinctHit {
  scores: DistinctHit['scores'] & { rerank: number }
}

/** As many of the best passages as the reranker reads, whatever topK is: so a larger one only makes the list longer. */
export const rerankedPassages = 50

/**
 * The best of the hits by the reranker's relevance, which is their score then; equal ones stay in their order. Null, and a
 * line in the log, where there is none or it cannot answer.
 */
export async function rerankHits(
  { reranker, log }: Pick<Context, 'reranker' | 'log'>,
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
