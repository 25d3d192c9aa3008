import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'
import { auditQueryOf, type AuditFilter } from './filter.ts'

export const auditQuery = ({ client, organization }: Workspace, filter: AuditFilter) =>
  pagesOf([organization.id, 'audit', filter], ({ query, signal }) =>
    client.audit.list({ ...auditQueryOf(filter), ...query }, { signal }).page(),
  )
