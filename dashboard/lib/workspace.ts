import type { Scope } from '@groundwork/api'
import { Groundwork } from '@groundwork/sdk'
import { createContext, use } from 'react'
import { fetchWithProgress } from './send-file.ts'
import type { Membership, User } from './session.ts'

/** On whose behalf the pages of an organization work, and through what. */
export interface Workspace {
  readonly user: User
  readonly organization: Membership
  /** The API on behalf of the organization. */
  readonly client: Groundwork
}

export const openWorkspace = (user: User, organization: Membership): Workspace => ({
  user,
  organization,
  client: new Groundwork({ baseUrl: window.location.origin, organization: organization.id, fetch: fetchWithProgress }),
})

export const WorkspaceContext = createContext<Workspace | null>(null)

/** @throws Error outside the pages of an organization */
export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext)
  if (workspace === null) throw new Error('there is no organization on this page')
  return workspace
}

/** Whether the role of the user allows this: what is not allowed is not shown. */
export const useMay = (scope: Scope): boolean => useWorkspace().organization.scopes.includes(scope)
