import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import type { KnowledgeServices } from '../context.ts'
import { createUpload, getUpload, receiveUpload } from './uploads.ts'

export const uploadHandlers: Handlers<GroundworkApi, KnowledgeServices>['uploads'] = {
  create: (ctx, { body }) => createUpload(ctx, body),
  get: (ctx, { params }) => getUpload(ctx, params.uploadId),
  put: (visit, { params, bytes }) => receiveUpload(visit, params.uploadId, bytes),
}
