import type { GroundworkApi, SearchReply } from '@groundwork/api'
import { WithHeaders, type Handlers } from '../../handlers.ts'
import type { KnowledgeServices } from '../context.ts'
import { searchBase, searchBases } from './search-base.ts'

export const searchHandlers: Handlers<GroundworkApi, KnowledgeServices>['search'] = {
  base: async (ctx, { params, body }) => timed(await searchBase(ctx, params.baseId, body)),
  all: async (ctx, { body }) => timed(await searchBases(ctx, body)),
}

function timed(reply: SearchReply): WithHeaders<SearchReply> {
  const { embedMs, searchMs, rerankMs, assembleMs, totalMs } = reply.timings
  const stages = { embed: embedMs, search: searchMs, rerank: rerankMs, assemble: assembleMs, total: totalMs }
  const timing = Object.entries(stages).map(([stage, ms]) => `${stage};dur=${ms}`)
  return new WithHeaders(reply, { 'Server-Timing': timing.join(', ') })
}
