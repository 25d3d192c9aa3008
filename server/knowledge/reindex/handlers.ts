import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import type { KnowledgeServices } from '../context.ts'
import { cancelReindex, getReindex, listReindexes } from './reindexes.ts'
import { startReindex } from './start.ts'
import { rollBackReindex, switchReindex } from './switch.ts'

export const reindexHandlers: Handlers<GroundworkApi, KnowledgeServices>['reindexes'] = {
  start: (ctx, { params, body }) => startReindex(ctx, params.baseId, body),
  list: (ctx, { params, query }) => listReindexes(ctx, params.baseId, query),
  get: (ctx, { params }) => getReindex(ctx, params.baseId, params.reindexId),
  switch: (ctx, { params, body }) => switchReindex(ctx, params.baseId, params.reindexId, body),
  rollback: (ctx, { params }) => rollBackReindex(ctx, params.baseId, params.reindexId),
  cancel: (ctx, { params }) => cancelReindex(ctx, params.baseId, params.reindexId),
}
