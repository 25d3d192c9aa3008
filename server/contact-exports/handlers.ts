import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { exportContacts } from './export.ts'

export const contactExportHandlers: Handlers<GroundworkApi>['contactExports'] = {
  create: (ctx, { body }) => exportContacts(ctx, body),
}
