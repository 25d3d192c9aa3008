import { wireId, type SearchBase, type SearchHit, type SearchReply } from '@groundwork/api'
import { atomically, type Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { requireBase } from '../bases/bases.ts'
import { storedSettings } from '../bases/settings.ts'
import { searchChunks, type Hit } from './search-chunks.ts'

/**
 * The passages of one base that answer the query, best first.
 * What cannot be compared by meaning, because the query cannot be embedded or a source was embedded by another model, is
 * found by its words alone; `degraded` says so.
 * @throws AppError `not_found` for the base, `unavailable` when a search by meaning alone has no embedding
 */
export async function searchBase(ctx: Context, baseId: string, input: SearchBase): Promise<SearchReply> {
  const started = performance.now()
  const queryVector = await embedQuery(ctx, input.query)
  const embedded = performance.now()
  const hits = await atomically(ctx, async (trx) => {
    const settings = storedSettings((await requireBase(trx, baseId)).rag_settings)
    const hybridSearch = input.hybridSearch ?? settings.hybridSearch
    if (queryVector === null && !hybridSearch) throw new AppError('unavailable', 'the query could not be embedded; try again shortly')
    return searchChunks(trx, {
      baseIds: [baseId],
      queryText: input.query,
      queryVector,
      embeddingModel: ctx.embedder.model,
      hybridSearch,
      topK: input.topK ?? settings.topK,
      similarityThreshold: input.similarityThreshold ?? settings.similarityThreshold,
      ...(input.sourceIds !== undefined && { sourceIds: input.sourceIds }),
      ...(input.filter !== undefined && { filter: input.filter }),
      ...(input.perSourceLimit !== undefined && { perSourceLimit: input.perSourceLimit }),
    })
  })
  const ended = performance.now()
  return {
    data: hits.map(toSearchHit),
    timings: { embedMs: rounded(embedded - started), searchMs: rounded(ended - embedded), totalMs: rounded(ended - started) },
    degraded: queryVector === null || hits.some(({ scores }) => scores.vector === null) ? ['vector'] : [],
  }
}

async function embedQuery(ctx: Context, query: string): Promise<Float32Array | null> {
  try {
    const [vector] = await ctx.embedder.embed([query], 'query')
    return vector ?? null
  } catch (error) {
    ctx.log.error({ err: error }, 'a query could not be embedded')
    return null
  }
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100

function toSearchHit({ chunkId, sourceId, ...hit }: Hit): SearchHit {
  return { ...hit, chunkId: wireId('chk', chunkId), sourceId: wireId('src', sourceId) }
}
