import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { getRequest, listRequests } from './list.ts'

export const requestHandlers: Handlers<GroundworkApi>['requests'] = {
  list: (ctx, { query }) => listRequests(ctx, query),
  get: (ctx, { params }) => getRequest(ctx, params.requestId),
}
