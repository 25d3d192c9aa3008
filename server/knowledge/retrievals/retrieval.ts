import type { SearchReply } from '@groundwork/api'
import type { Context, Via } from '../../context.ts'
import { newId } from '../../lib/ids.ts'

/** A search without a passage of this score has no good answer; docs/retrieval.md tells where it comes from. */
const goodEnough = 0.2

/** What a conversation can be as one question; what goes beyond is cut. */
const longestQuery = 4000

/** A search as one base knows it. */
export interface Retrieval {
  readonly organizationId: string
  readonly id: string
  readonly baseId: string
  readonly createdAt: Date
  readonly query: string
  /** The passages of this base alone, best first. */
  readonly chunkIds: readonly string[]
  readonly sourceIds: readonly string[]
  readonly scores: readonly number[]
  /** Of all passages, also those of other bases that were searched with it: where one of them answers, nothing is missing. */
  readonly bestScore: number | null
  readonly unanswered: boolean
  readonly scoredBy: SearchReply['scoredBy']
  readonly timings: SearchReply['timings']
  readonly degraded: readonly string[]
  readonly via: Via
  readonly tokenId: string | null
}

/** One for each of the bases that were searched as one. */
export function retrievalsOf(ctx: Context, baseIds: readonly string[], reply: SearchReply, now: Date): Retrieval[] {
  const { organizationId, actor, via = 'api' } = ctx
  const query = storable(reply.query.slice(0, longestQuery))
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
      unanswered: !reply.degraded.includes('search') && (bestScore ?? 0) < goodEnough,
      scoredBy: reply.scoredBy,
      timings: reply.timings,
      degraded: reply.degraded,
      via,
      tokenId: actor?.kind === 'token' ? actor.tokenId : null,
    }
  })
}

/** What a door lets through need not be what a database can keep: no NUL, no half of a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd')
