import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import type { KnowledgeServices } from '../context.ts'
import { listSourcePages } from '../crawl/list-pages.ts'
import { cancelSource } from './cancel.ts'
import { getContent, getPageContent, listChunks } from './contents.ts'
import { getOriginal } from './original.ts'
import { replaceSource, upsertSource } from './replace.ts'
import { findSources, listSources } from './list.ts'
import { addSource, deleteSource, getSource, retrySource, syncSource } from './sources.ts'
import { updateSource } from './update.ts'

export const sourceHandlers: Handlers<GroundworkApi, KnowledgeServices>['sources'] = {
  add: (ctx, { params, body }) => addSource(ctx, params.baseId, body),
  upsert: (ctx, { params, body }) => upsertSource(ctx, params.baseId, body),
  list: (ctx, { params, query }) => listSources(ctx, params.baseId, query),
  find: (ctx, { query }) => findSources(ctx, query),
  get: (ctx, { params }) => getSource(ctx, params.baseId, params.sourceId),
  pages: (ctx, { params, query }) => listSourcePages(ctx, params.baseId, params.sourceId, query),
  update: (ctx, { params, body }) => updateSource(ctx, params.baseId, params.sourceId, body),
  replace: (ctx, { params, body }) => replaceSource(ctx, params.baseId, params.sourceId, body),
  cancel: (ctx, { params }) => cancelSource(ctx, params.baseId, params.sourceId),
  chunks: (ctx, { params, query }) => listChunks(ctx, params.baseId, params.sourceId, query),
  content: (ctx, { params }) => getContent(ctx, params.baseId, params.sourceId),
  pageContent: (ctx, { params }) => getPageContent(ctx, params.baseId, params.sourceId, params.pageId),
  original: (ctx, { params }) => getOriginal(ctx, params.baseId, params.sourceId),
  retry: (ctx, { params }) => retrySource(ctx, params.baseId, params.sourceId),
  sync: (ctx, { params }) => syncSource(ctx, params.baseId, params.sourceId),
  delete: (ctx, { params }) => deleteSource(ctx, params.baseId, params.sourceId),
}
