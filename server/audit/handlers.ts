import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { listAuditEntries } from './list.ts'

export const auditHandlers: Handlers<GroundworkApi>['audit'] = {
  list: (ctx, { query }) => listAuditEntries(ctx, query),
}
