import { queryOptions } from '@tanstack/react-query'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'
import { auditQueryOf, type AuditFilter } from './filter.ts'

export const auditQuery = ({ client, organization }: Workspace, filter: AuditFilter) =>
  pagesOf([organization.id, 'audit', filter], ({ query, signal }) =>
    client.audit.list({ ...auditQueryOf(filter), ...query }, { signal }).page(),
  )

const choicesAtMost = 100

/** Who can have changed something, by name: members and tokens, as far as they may be seen. */
export const actorChoicesQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, 'actors'],
    queryFn: async ({ signal }) => {
      const may = (scope: 'members:read' | 'tokens:read'): boolean => organization.scopes.includes(scope)
      const [members, tokens] = await Promise.all([
        may('members:read') ? client.members.list({ limit: choicesAtMost }, { signal }).page() : { data: [] },
        may('tokens:read') ? client.tokens.list({ limit: choicesAtMost }, { signal }).page() : { data: [] },
      ])
      return { members: members.data, tokens: tokens.data }
    },
  })
