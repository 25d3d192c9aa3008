import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from '../../lib/workspace.ts'

const pollMs = 1_500

/** The newest request of a token; null before the first one. Polls until a request succeeds. */
export const newestRequestQuery = ({ client, organization }: Workspace, tokenId: string) =>
  queryOptions({
    queryKey: [organization.id, 'requests', 'newest', tokenId],
    queryFn: async ({ signal }) => (await client.requests.list({ tokenId, limit: 1 }, { signal }).page()).data[0] ?? null,
    enabled: organization.scopes.includes('audit:read'),
    refetchInterval: ({ state: { data } }) => (isSuccess(data) ? false : pollMs),
  })

export const isSuccess = (request: { status: number } | null | undefined): boolean =>
  request !== null && request !== undefined && request.status < 400
