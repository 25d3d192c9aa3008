import type { GroundworkApi, Received } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from '../lib/workspace.ts'

export type Overview = Received<GroundworkApi['overview']['get']>

export const overviewKey = ['overview'] as const

/** Searches, members and failing endpoints emit no events, so the overview is polled. */
const pollMs = 60_000

export const overviewQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, ...overviewKey],
    queryFn: ({ signal }) => client.overview.get({ signal }),
    refetchInterval: pollMs,
    // The route loader fetches on each visit, so mounting the page does not need to.
    staleTime: 0,
    refetchOnMount: false,
  })
