import { z } from 'zod'
import { scopes, type Scope } from './scopes.ts'

/** Roles in an organization, in descending order of permissions. */
const roles = ['owner', 'admin', 'member', 'viewer'] as const
export const Role = z.enum(roles).meta({
  id: 'Role',
  description:
    'Role in the organization. `owner`: all scopes, and the only role that can appoint and demote owners. `admin`: all scopes. `member`: reads and writes contacts, proposals, knowledge bases, sources and evaluations, and reads events and members. `viewer`: reads the same records.',
})
export type Role = z.infer<typeof Role>

const ofMember: readonly Scope[] = [
  'contacts:read',
  'contacts:write',
  'proposals:read',
  'proposals:write',
  'bases:read',
  'bases:write',
  'sources:read',
  'sources:write',
  'search:read',
  'retrievals:read',
  'evaluations:read',
  'evaluations:write',
  'events:read',
  'organization:read',
  'members:read',
]

/** Scopes of each role. Only owners can appoint and demote owners; that is checked in addition to the scope. */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  admin: scopes,
  member: ofMember,
  viewer: ofMember.filter((scope) => scope.endsWith(':read')),
}
