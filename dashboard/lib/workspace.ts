import type { Scope } from '@groundwork/api'
import { Groundwork } from '@groundwork/sdk'
import { createContext, use } from 'react'
import { fetchWithProgress } from './send-file.ts'
import type { Membership, User } from './session.ts'

/** The user, the organization and the API client of the current pages. */
export interface Workspace {
  readonly user: User
  readonly organization: Membership
  /** An API client that sends requests for this organization. */
  readonly client: Groundwork
}

export const openWorkspace = (user: User, organization: Membership): Workspace => ({
  user,
  organization,
  client: new Groundwork({ baseUrl: window.location.origin, organization: organization.id, fetch: fetchWithProgress }),
})

export const WorkspaceContext = createContext<Workspace | null>(null)

/** @throws Error outside of an organization’s pages */
export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext)
  if (workspace === null) throw new Error('useWorkspace needs a WorkspaceContext.')
  return workspace
}

/** Returns whether the role of the user has a permission. Controls that are not allowed are hidden. */
export const useMay = (scope: Scope): boolean => useWorkspace().organization.scopes.includes(scope)
