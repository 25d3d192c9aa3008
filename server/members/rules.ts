import { Role, scopesOfRole } from '@groundwork/api'
import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'

function mayGive(actor: Context['actor'], role: Role): boolean {
  if (actor?.kind === 'user' && actor.role === 'owner') return true
  return (
    role !== 'owner' && actor !== undefined && actor.baseIds === null && scopesOfRole[role].every((scope) => actor.scopes.includes(scope))
  )
}

/** Roles that the actor may give. */
export const rolesToGive = ({ actor }: Context): Role[] => Role.options.filter((role) => mayGive(actor, role))

/**
 * Nobody gives a role that may do more than they may, nor touches one that does: owners are made and lowered by owners alone.
 * @throws AppError `forbidden`
 */
export function refuseRoleBeyond({ actor }: Context, role: Role): void {
  if (!mayGive(actor, role)) throw new AppError('forbidden', `the role ${role} is not yours to give or to take`, { field: 'role' })
}
