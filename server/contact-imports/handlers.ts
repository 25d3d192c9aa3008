import type { GroundworkApi } from '@groundwork/api'
import type { FileServices } from '../files/context.ts'
import type { Handlers } from '../handlers.ts'
import { cancelImport, createImport, getImport, importErrors, listImports } from './imports.ts'

export const contactImportHandlers: Handlers<GroundworkApi, FileServices>['contactImports'] = {
  list: (ctx, { query }) => listImports(ctx, query),
  create: (ctx, { body }) => createImport(ctx, body),
  get: (ctx, { params }) => getImport(ctx, params.importId),
  cancel: (ctx, { params }) => cancelImport(ctx, params.importId),
  errors: (ctx, { params }) => importErrors(ctx, params.importId),
}
