import type { QueryKey } from '@tanstack/react-query'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'

export const membersKey = ({ organization }: Workspace): QueryKey => [organization.id, 'members']
export const invitationsKey = ({ organization }: Workspace): QueryKey => [organization.id, 'invitations']

export const membersQuery = (workspace: Workspace) =>
  pagesOf(membersKey(workspace), ({ query, signal }) => workspace.client.members.list({ ...query, limit: 100 }, { signal }).page())

export const invitationsQuery = (workspace: Workspace) =>
  pagesOf(invitationsKey(workspace), ({ query, signal }) => workspace.client.invitations.list(query, { signal }).page())
