import type { SearchReply } from '@groundwork/api'
import type { Context, Via } from '../../context.ts'
import { newId } from '../../lib/ids.ts'

/** Minimum confidence of an answered question, see docs/retrieval.md. */
const minConfidence = 0.5

/** Maximum length of a recorded question; longer ones are truncated. */
const maxQueryLength = 4000

/** A search in one knowledge base. */
export interface Retrieval {
  readonly organizationId: string
  readonly id: string
  readonly baseId: string
  readonly createdAt: Date
  readonly query: string
  /** The passages of this knowledge base only, best first. */
  readonly chunkIds: readonly string[]
  readonly sourceIds: readonly string[]
  readonly scores: readonly number[]
  /** Best score of all passages, also those of other knowledge bases in the same search. */
  readonly bestScore: number | null
  readonly unanswered: boolean
  readonly scoredBy: SearchReply['scoredBy']
  readonly timings: SearchReply['timings']
  readonly degraded: readonly string[]
  readonly via: Via
  readonly tokenId: string | null
}

/** Returns one row for each knowledge base of the search. */
export function retrievalsOf(ctx: Context, baseIds: readonly string[], reply: SearchReply, now: Date): Retrieval[] {
  const { organizationId, actor, via = actor?.kind === 'user' ? 'playground' : 'api' } = ctx
  const query = storable(reply.query.slice(0, maxQueryLength))
  const bestScore = reply.data[0]?.score ?? null
  return baseIds.map((baseId) => {
    const hits = baseIds.length === 1 ? reply.data : reply.data.filter((hit) => hit.baseId.endsWith(baseId))
    return {
      organizationId,
      id: newId(now.getTime()),
      baseId,
      createdAt: now,
      query,
      chunkIds: hits.map(({ chunkId }) => chunkId.slice(-36)),
      sourceIds: hits.map(({ sourceId }) => sourceId.slice(-36)),
      scores: hits.map(({ score }) => score),
      bestScore,
      unanswered: !reply.degraded.includes('search') && (bestScore === null || reply.confidence < minConfidence),
      scoredBy: reply.scoredBy,
      timings: reply.timings,
      degraded: reply.degraded,
      via,
      tokenId: actor?.kind === 'token' ? actor.tokenId : null,
    }
  })
}

/** Replaces characters that the database cannot store: NUL and lone surrogates. */
const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd')
