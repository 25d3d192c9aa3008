import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import type { KnowledgeServices } from '../context.ts'
import { previewDocument } from './preview-document.ts'

export const previewHandlers: Handlers<GroundworkApi, KnowledgeServices>['previews'] = {
  create: (ctx, { params, body }) => previewDocument(ctx, params.baseId, body),
}
