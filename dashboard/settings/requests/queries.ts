import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'
import { requestQueryOf, type RequestFilter } from './filter.ts'

export const requestsQuery = ({ client, organization }: Workspace, filter: RequestFilter) =>
  pagesOf([organization.id, 'requests', filter], ({ query, signal }) =>
    client.requests.list({ ...requestQueryOf(filter), ...query }, { signal }).page(),
  )
