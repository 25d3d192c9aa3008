import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { createView, deleteView, getView, listViews, updateView } from './views.ts'

export const contactViewHandlers: Handlers<GroundworkApi>['contactViews'] = {
  list: (ctx, { query }) => listViews(ctx, query),
  create: (ctx, { body }) => createView(ctx, body),
  get: (ctx, { params }) => getView(ctx, params.id),
  update: (ctx, { params, body }) => updateView(ctx, params.id, body),
  delete: (ctx, { params }) => deleteView(ctx, params.id),
}
