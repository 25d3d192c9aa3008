import type { QueryKey } from '@tanstack/react-query'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'

export const membersKey = ({ organization }: Workspace): QueryKey => [organization.id, 'members']
export const invitationsKey = ({ organization }: Workspace): QueryKey => [organization.id, 'invitations']

/** Members and invitations have no events, so they are polled, also when the user returns to the tab. */
const polled = { refetchInterval: 10_000, refetchOnWindowFocus: 'always' } as const

export const membersQuery = (workspace: Workspace) => ({
  ...pagesOf(membersKey(workspace), ({ query, signal }) => workspace.client.members.list({ ...query, limit: 100 }, { signal }).page()),
  ...polled,
})

export const invitationsQuery = (workspace: Workspace) => ({
  ...pagesOf(invitationsKey(workspace), ({ query, signal }) => workspace.client.invitations.list(query, { signal }).page()),
  ...polled,
})
