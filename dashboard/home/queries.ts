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
    // What was done on another page is told at once by whoever comes back.
    staleTime: 0,
  })
