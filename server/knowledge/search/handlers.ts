import type { GroundworkApi } from '@groundwork/api'
import { WithHeaders, type Handlers } from '../../handlers.ts'
import { searchBase } from './search-base.ts'

export const searchHandlers: Handlers<GroundworkApi>['search'] = {
  async base(ctx, { params, body }) {
    const reply = await searchBase(ctx, params.baseId, body)
    return new WithHeaders(reply, { 'Server-Timing': `embed;dur=${reply.timings.embedMs}, search;dur=${reply.timings.searchMs}` })
  },
}
