import {
  defaultRagSettings,
  wireId,
  type RagSettings,
  type SearchBase,
  type SearchBases,
  type SearchHit,
  type SearchReply,
} from '@groundwork/api'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { noBase } from '../bases/bases.ts'
import { requireAll } from '../bases/require.ts'
import { storedSettings } from '../bases/settings.ts'
import { askedIn, searchedText } from './conversation.ts'
import { readBases, type LiveBase } from './live.ts'
import { searchDistinct, type DistinctHit } from './search-distinct.ts'

/**
 * The passages of one base that answer the query, best first. What the input leaves open is as the base is set.
 * What cannot be compared by meaning, because the query cannot be embedded or a source was embedded by another model, is
 * found by its words alone; `degraded` says so.
 * @throws AppError `not_found` for the base, `unavailable` when a search by meaning alone has no embedding
 */
export function searchBase(ctx: Context, baseId: string, input: SearchBase): Promise<SearchReply> {
  return search(ctx, [baseId], input, ([base]) => {
    if (base === undefined) throw noBase()
    return storedSettings(base.ragSettings)
  })
}

/**
 * The same of several bases, as if they were one: their passages are compared by one scale. What the input leaves open is
 * as a new base is set, whatever these are.
 * @throws AppError `validation_error` for a base that is not there, `unavailable` as above
 */
export function searchBases(ctx: Context, { baseIds, ...input }: SearchBases): Promise<SearchReply> {
  return search(ctx, baseIds, input, (bases) => {
    requireAll(baseIds, bases)
    return defaultRagSettings
  })
}

async function search(
  ctx: Context,
  baseIds: readonly string[],
  input: SearchBase,
  settingsOf: (bases: readonly LiveBase[]) => RagSettings,
): Promise<SearchReply> {
  const started = performance.now()
  const asked = input.messages === undefined ? { text: input.query ?? '', earlier: '' } : askedIn(input.messages)
  const query = searchedText(asked)
  const [queryVector, bases] = await Promise.all([embedQuery(ctx, query), readBases(ctx, baseIds, input)])
  const settings = settingsOf(bases)
  const embedded = performance.now()
  const hybridSearch = input.hybridSearch ?? settings.hybridSearch
  if (queryVector === null && !hybridSearch) throw new AppError('unavailable', 'the query could not be embedded; try again shortly')
  const hits = await searchDistinct(
    ctx,
    {
      baseIds,
      bases,
      queryText: asked.text,
      earlierText: asked.earlier,
      queryVector,
      hybridSearch,
      topK: input.topK ?? settings.topK,
      similarityThreshold: input.similarityThreshold ?? settings.similarityThreshold,
      sourceIds: input.sourceIds,
      filter: input.filter,
      neighbours: input.neighbours,
      explain: input.explain,
      perSourceLimit: input.perSourceLimit,
    },
    { collapse: input.collapseDuplicates ?? true },
  )
  const searched = performance.now()
  const data = hits.map(toSearchHit)
  const ended = performance.now()
  const reply: SearchReply = {
    data,
    query,
    timings: {
      embedMs: rounded(embedded - started),
      searchMs: rounded(searched - embedded),
      assembleMs: rounded(ended - searched),
      totalMs: rounded(ended - started),
    },
    degraded: queryVector === null || hits.some(({ scores }) => scores.vector === null) ? ['vector'] : [],
  }
  ctx.retrievals.record(ctx, baseIds, reply)
  return reply
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

function toSearchHit({ chunkId, sourceId, baseId, neighbours, ...hit }: DistinctHit): SearchHit {
  return {
    ...hit,
    chunkId: wireId('chk', chunkId),
    sourceId: wireId('src', sourceId),
    baseId: wireId('kb', baseId),
    ...(neighbours !== undefined && { neighbours: { before: neighbours.before.map(withWireId), after: neighbours.after.map(withWireId) } }),
  }
}

const withWireId = <T extends { chunkId: string }>(passage: T): T => ({ ...passage, chunkId: wireId('chk', passage.chunkId) })
