import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import { previewDocument } from './preview-document.ts'

export const previewHandlers: Handlers<GroundworkApi>['previews'] = {
  create: (ctx, { params, body }) => previewDocument(ctx, params.baseId, body),
}
