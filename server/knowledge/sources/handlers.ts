import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import { listSourcePages } from '../crawl/list-pages.ts'
import { addSource, deleteSource, getSource, listSources, retrySource, syncSource } from './sources.ts'

export const sourceHandlers: Handlers<GroundworkApi>['sources'] = {
  add: (ctx, { params, body }) => addSource(ctx, params.baseId, body),
  list: (ctx, { params, query }) => listSources(ctx, params.baseId, query),
  get: (ctx, { params }) => getSource(ctx, params.baseId, params.sourceId),
  pages: (ctx, { params, query }) => listSourcePages(ctx, params.baseId, params.sourceId, query),
  retry: (ctx, { params }) => retrySource(ctx, params.baseId, params.sourceId),
  sync: (ctx, { params }) => syncSource(ctx, params.baseId, params.sourceId),
  delete: (ctx, { params }) => deleteSource(ctx, params.baseId, params.sourceId),
}
