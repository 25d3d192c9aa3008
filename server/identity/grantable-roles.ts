import { Role, scopesOfRole } from '@groundwork/api'
import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'

function canGrant(actor: Context['actor'], role: Role): boolean {
  if (actor?.kind === 'user' && actor.role === 'owner') return true
  return (
    role !== 'owner' && actor !== undefined && actor.baseIds === null && scopesOfRole[role].every((scope) => actor.scopes.includes(scope))
  )
}

/** Returns the roles that the actor can grant. */
export const grantableRoles = ({ actor }: Context): Role[] => Role.options.filter((role) => canGrant(actor, role))

/**
 * Checks that the actor can grant or revoke the role. Owners can for any role; other actors for roles whose scopes they all have,
 * except owner.
 * @throws AppError `forbidden`
 */
export function requireGrantableRole({ actor }: Context, role: Role): void {
  if (!canGrant(actor, role)) throw new AppError('forbidden', `You cannot grant or revoke the role ${role}.`, { field: 'role' })
}
