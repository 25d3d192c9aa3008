import type { GroundworkApi, SearchReply } from '@groundwork/api'
import { WithHeaders, type Handlers } from '../../handlers.ts'
import { searchBase, searchBases } from './search-base.ts'

export const searchHandlers: Handlers<GroundworkApi>['search'] = {
  base: async (ctx, { params, body }) => timed(await searchBase(ctx, params.baseId, body)),
  all: async (ctx, { body }) => timed(await searchBases(ctx, body)),
}

const timed = (reply: SearchReply): WithHeaders<SearchReply> =>
  new WithHeaders(reply, { 'Server-Timing': `embed;dur=${reply.timings.embedMs}, search;dur=${reply.timings.searchMs}` })
