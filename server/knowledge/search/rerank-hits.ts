import { embeddingText } from '../chunk/embedding-text.ts'
import type { KnowledgeContext } from '../context.ts'
import type { OrderedHit } from './order-by-sentences.ts'

export interface RerankedHit extends OrderedHit {
  readonly scores: OrderedHit['scores'] & { readonly rerank: number }
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
  hits: readonly OrderedHit[],
  signal: AbortSignal,
): Promise<RerankedHit[] | null> {
  if (reranker === null) return null
  const best = hits.slice(0, rerankedPassages)
  const documents = best.map(({ text, citation }) =>
    embeddingText({ text, headingPath: citation.headingPath }, citation.title ?? undefined),
  )
  try {
    const relevances = await reranker.rerank(query, documents, signal)
    const reranked = best.map((hit, at) => {
      const rerank = relevances[at] ?? 0
      return { ...hit, score: rerank, scores: { ...hit.scores, rerank } }
    })
    return reranked.toSorted((a, b) => b.score - a.score)
  } catch (error) {
    if (!signal.aborted) log.error({ err: error }, 'passages could not be reranked')
    return null
  }
}
