import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import { listRetrievals } from './list.ts'
import { retrievalStats } from './stats.ts'
import { listUnanswered } from './unanswered.ts'

export const retrievalHandlers: Handlers<GroundworkApi>['retrievals'] = {
  list: (ctx, { params, query }) => listRetrievals(ctx, params.baseId, query),
  unanswered: (ctx, { params, query }) => listUnanswered(ctx, params.baseId, query),
  stats: (ctx, { params, query }) => retrievalStats(ctx, params.baseId, query),
}
