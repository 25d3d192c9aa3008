import { z } from 'zod'
import { scopes, type Scope } from './scopes.ts'

/** What people can be in an organization, the one who may do most first. */
const roles = ['owner', 'admin', 'member', 'viewer'] as const
export const Role = z.enum(roles).meta({ id: 'Role' })
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

/** What each role may do. Only an owner may make owners or lower them, which is looked at beside the scope. */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  admin: scopes,
  member: ofMember,
  viewer: ofMember.filter((scope) => scope.endsWith(':read')),
}
