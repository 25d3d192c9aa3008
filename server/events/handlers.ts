import type { GroundworkApi } from '@groundwork/api'
import { ofSurvivor } from '../contact-merges/survivor.ts'
import type { Handlers } from '../handlers.ts'
import { contactTimeline } from './contact-timeline.ts'
import { getEvent } from './get.ts'
import { listEvents } from './list.ts'
import { streamEvents } from './stream.ts'

export const eventHandlers: Handlers<GroundworkApi>['events'] = {
  get: (ctx, { params }) => getEvent(ctx, params.eventId),
  list: (ctx, { query }) => listEvents(ctx, query),
  ofContact: (ctx, { params, query }) => ofSurvivor(ctx, params.id, (id) => contactTimeline(ctx, id, query)),
  stream: (ctx, { query, stream }) => streamEvents(ctx, query, stream),
}
