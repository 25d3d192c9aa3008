import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import { createUpload, receiveUpload } from './uploads.ts'

export const uploadHandlers: Handlers<GroundworkApi>['uploads'] = {
  create: (ctx, { body }) => createUpload(ctx, body),
  put: (visit, { params, bytes }) => receiveUpload(visit, params.ticket, bytes),
}
