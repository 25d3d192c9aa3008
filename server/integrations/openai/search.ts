import { numberFrom, type SearchHit, text, wholeNumber } from '@groundwork/api'
import { z } from 'zod'
import { searchBase } from '../../knowledge/search/search-base.ts'
import { AppError } from '../../lib/errors.ts'
import type { IntegrationContext } from '../integration.ts'
import { metadataOf, type Metadata } from '../source-metadata.ts'
import { toAttributes } from './attributes.ts'
import { toSearchFilter } from './filters.ts'
import { baseIdIn } from './vector-stores.ts'

const maxQueryLength = 4000

export const SearchVectorStore = z.strictObject({
  query: z.union([text(1, maxQueryLength), z.array(text(1, maxQueryLength)).min(1).max(20)]),
  filters: z.unknown().optional(),
  max_num_results: wholeNumber(1, 50).default(10),
  ranking_options: z.strictObject({ ranker: z.string().optional(), score_threshold: numberFrom(0, 1).optional() }).optional(),
  rewrite_query: z.boolean().optional(),
})

/**
 * Searches a knowledge base and returns search results of a vector store. `rewrite_query` and `ranker` have no effect;
 * `search_query` is the query that was used.
 * @throws AppError `not_found`, `unavailable`; `validation_error` for invalid filters
 */
export async function searchVectorStore(
  ctx: IntegrationContext,
  storeId: string,
  input: z.output<typeof SearchVectorStore>,
): Promise<object> {
  const query = [input.query].flat().join('\n')
  if (query.length > maxQueryLength)
    throw new AppError('validation_error', `query must have at most ${maxQueryLength} characters in total`, { field: 'query' })
  const similarityThreshold = input.ranking_options?.score_threshold
  const { data, confidence } = await searchBase(ctx, baseIdIn(storeId), {
    query,
    topK: input.max_num_results,
    ...(input.filters !== undefined && input.filters !== null && { filter: toSearchFilter(input.filters) }),
    ...(similarityThreshold !== undefined && { similarityThreshold }),
  })
  const metadata = await metadataOf(
    ctx,
    data.map(({ sourceId }) => sourceId),
  )
  return {
    object: 'vector_store.search_results.page',
    search_query: [query],
    confidence,
    data: data.map((hit) => toResult(hit, metadata(hit.sourceId))),
    has_more: false,
    next_page: null,
  }
}

function toResult(
  { chunkId, sourceId, sourceName, url, text: passage, highlights, score, citation }: SearchHit,
  metadata: Metadata,
): object {
  return {
    file_id: sourceId,
    filename: sourceName,
    score,
    attributes: toAttributes(metadata),
    content: [{ type: 'text', text: passage }],
    chunk_id: chunkId,
    url,
    citation,
    highlights,
  }
}
