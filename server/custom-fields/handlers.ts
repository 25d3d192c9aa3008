import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { convertField } from './convert.ts'
import { archiveField, createField, getField, listFields, restoreField, updateField } from './fields.ts'

export const customFieldHandlers: Handlers<GroundworkApi>['customFields'] = {
  list: (ctx, { query }) => listFields(ctx, query),
  create: (ctx, { body }) => createField(ctx, body),
  get: (ctx, { params }) => getField(ctx, params.id),
  update: (ctx, { params, body }) => updateField(ctx, params.id, body),
  archive: (ctx, { params }) => archiveField(ctx, params.id),
  restore: (ctx, { params }) => restoreField(ctx, params.id),
  convert: (ctx, { params, body }) => convertField(ctx, params.id, body),
}
