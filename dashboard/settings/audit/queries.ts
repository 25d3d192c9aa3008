import { queryOptions } from '@tanstack/react-query'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'
import { auditQueryOf, type AuditFilter } from './filter.ts'

export const auditQuery = ({ client, organization }: Workspace, filter: AuditFilter) =>
  pagesOf([organization.id, 'audit', filter], ({ query, signal }) =>
    client.audit.list({ ...auditQueryOf(filter), ...query }, { signal }).page(),
  )

/** Changes by members and tokens emit no events, so the newest entries are polled. */
const pollMs = 60_000

/** Enough to find some changes between sign-ins. */
const newestEntries = 30

export const newestAuditQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, 'audit', 'newest'],
    queryFn: async ({ signal }) => (await client.audit.list({ limit: newestEntries }, { signal }).page()).data,
    refetchInterval: pollMs,
    // The loader of Home fetches on each visit, so mounting the page does not need to.
    staleTime: 0,
    refetchOnMount: false,
  })
