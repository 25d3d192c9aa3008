import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { createActivity, deleteActivity, getActivity, updateActivity } from './activities.ts'
import { listActivities, listTasks } from './list.ts'

export const activityHandlers: Handlers<GroundworkApi>['activities'] = {
  list: (ctx, { params, query }) => listActivities(ctx, params.id, query),
  create: (ctx, { params, body }) => createActivity(ctx, params.id, body),
  get: (ctx, { params }) => getActivity(ctx, params),
  update: (ctx, { params, body }) => updateActivity(ctx, params, body),
  delete: (ctx, { params }) => deleteActivity(ctx, params),
}

export const taskHandlers: Handlers<GroundworkApi>['tasks'] = {
  list: (ctx, { query }) => listTasks(ctx, query),
}
