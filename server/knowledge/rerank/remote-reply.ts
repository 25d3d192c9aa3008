import { z } from 'zod'
import { RerankError } from './reranker.ts'

const Scored = z
  .object({ index: z.int().nonnegative(), relevance_score: z.number().optional(), score: z.number().optional() })
  .transform(({ index, relevance_score, score }) => ({ index, relevance: relevance_score ?? score }))

/** Replies in the form of Cohere, Jina and vLLM, of Voyage, and the bare list of Text Embeddings Inference. */
const Reply = z.union([
  z.object({ results: z.array(Scored) }).transform(({ results }) => results),
  z.object({ data: z.array(Scored) }).transform(({ data }) => data),
  z.array(Scored),
])

/** Rounding errors beyond 0 and 1. */
const tolerance = 1e-3

/**
 * Returns the relevances of a reply of a `/rerank` endpoint, in the order of the documents. The items may have any order.
 * @throws RerankError unless there is one from 0 to 1 for each document
 */
export function relevancesOf(reply: unknown, count: number): number[] {
  const parsed = Reply.safeParse(reply)
  if (!parsed.success) throw new RerankError('The reranking endpoint did not return relevance scores', { cause: parsed.error })
  const relevances = new Map<number, number>()
  for (const { index, relevance } of parsed.data) {
    if (relevance === undefined || index >= count || relevances.has(index)) continue
    if (relevance < -tolerance || relevance > 1 + tolerance)
      throw new RerankError(`The reranking endpoint returned a relevance of ${relevance}; it must return values from 0 to 1`)
    relevances.set(index, Math.min(Math.max(relevance, 0), 1))
  }
  if (relevances.size !== count)
    throw new RerankError(`The reranking endpoint returned ${relevances.size} relevances for ${count} documents`)
  return Array.from({ length: count }, (_, index) => relevances.get(index) ?? 0)
}
