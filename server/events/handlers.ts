import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { listEvents } from './list.ts'
import { streamEvents } from './stream.ts'

export const eventHandlers: Handlers<GroundworkApi>['events'] = {
  list: (ctx, { query }) => listEvents(ctx, query),
  stream: (ctx, { query, stream }) => streamEvents(ctx, query, stream),
}
