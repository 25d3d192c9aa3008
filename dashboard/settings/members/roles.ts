import type { Member } from '@groundwork/api'

export type Role = Member['role']
const roles: readonly Role[] = ['owner', 'admin', 'member', 'viewer']

/** The roles that somebody of a role may give: owners are made by owners alone. */
export const rolesGivenBy = (role: Role): readonly Role[] => (role === 'owner' ? roles : roles.filter((one) => one !== 'owner'))

/** Whether a member is the only owner, who can be neither lowered nor removed. */
export const isLastOwner = (member: Pick<Member, 'id' | 'role'>, all: readonly Pick<Member, 'id' | 'role'>[]): boolean =>
  member.role === 'owner' && all.every(({ id, role }) => id === member.id || role !== 'owner')
