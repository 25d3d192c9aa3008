import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import type { KnowledgeServices } from '../context.ts'
import { createBase, deleteBase, getBase, listBases } from './bases.ts'
import { updateBase } from './update.ts'

export const baseHandlers: Handlers<GroundworkApi, KnowledgeServices>['bases'] = {
  create: (ctx, { body }) => createBase(ctx, body),
  list: (ctx, { query }) => listBases(ctx, query),
  get: (ctx, { params }) => getBase(ctx, params.baseId),
  update: (ctx, { params, body }) => updateBase(ctx, params.baseId, body),
  delete: (ctx, { params }) => deleteBase(ctx, params.baseId),
}
