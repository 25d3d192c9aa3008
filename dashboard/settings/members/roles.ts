import type { Member } from '@groundwork/api'

export type Role = Member['role']
export const roles = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Member['role'][]

/** Returns the roles that a user with this role may assign. Only owners may assign the owner role. */
export const rolesGivenBy = (role: Role): readonly Role[] =>
  role === 'owner' ? roles : roles.filter((assignable) => assignable !== 'owner')

/** Returns whether the member is the only owner. The only owner can be neither demoted nor removed. */
export const isLastOwner = (member: Pick<Member, 'id' | 'role'>, all: readonly Pick<Member, 'id' | 'role'>[]): boolean =>
  member.role === 'owner' && all.every(({ id, role }) => id === member.id || role !== 'owner')
