import type { GroundworkApi, Received } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from '../lib/workspace.ts'

export type Overview = Received<GroundworkApi['overview']['get']>

export const overviewKey = ['overview'] as const

/** No event tells of searches, members and endpoints that fail. */
const againMs = 60_000

export const overviewQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, ...overviewKey],
    queryFn: ({ signal }) => client.overview.get({ signal }),
    refetchInterval: againMs,
    // The route asks whenever somebody comes, so that what was done on another page is seen; the page need not ask again.
    staleTime: 0,
    refetchOnMount: false,
  })
