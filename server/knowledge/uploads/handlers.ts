import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import type { KnowledgeServices } from '../context.ts'
import { completeParts, resumeParts } from './parts.ts'
import { receivePart, receiveUpload } from './receive.ts'
import { createUpload, getUpload, statusOf } from './uploads.ts'

export const uploadHandlers: Handlers<GroundworkApi, KnowledgeServices>['uploads'] = {
  create: (ctx, { body }) => createUpload(ctx, body),
  get: (ctx, { params }) => getUpload(ctx, params.uploadId),
  resume: (ctx, { params }) => resumeParts(ctx, params.uploadId),
  complete: (ctx, { params }) => completeParts(ctx, params.uploadId, statusOf),
  putPart: (visit, { params, bytes }) => receivePart(visit, params.uploadId, params.number, bytes),
  put: (visit, { params, bytes }) => receiveUpload(visit, params.uploadId, bytes),
}
