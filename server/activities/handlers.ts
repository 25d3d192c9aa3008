import type { GroundworkApi } from '@groundwork/api'
import { ofSurvivor } from '../contact-merges/survivor.ts'
import type { Handlers } from '../handlers.ts'
import { createActivity, deleteActivity, getActivity, updateActivity } from './activities.ts'
import { listActivities, listTasks } from './list.ts'

export const activityHandlers: Handlers<GroundworkApi>['activities'] = {
  list: (ctx, { params, query }) => ofSurvivor(ctx, params.id, (id) => listActivities(ctx, id, query)),
  create: (ctx, { params, body }) => ofSurvivor(ctx, params.id, (id) => createActivity(ctx, id, body)),
  get: (ctx, { params }) => ofSurvivor(ctx, params.id, (id) => getActivity(ctx, { ...params, id })),
  update: (ctx, { params, body }) => ofSurvivor(ctx, params.id, (id) => updateActivity(ctx, { ...params, id }, body)),
  delete: (ctx, { params }) => ofSurvivor(ctx, params.id, (id) => deleteActivity(ctx, { ...params, id })),
}

export const taskHandlers: Handlers<GroundworkApi>['tasks'] = {
  list: (ctx, { query }) => listTasks(ctx, query),
}
