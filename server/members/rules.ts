import { scopesOfRole, type Role } from '@groundwork/api'
import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'

/**
 * Nobody gives a role that may do more than they may, nor touches one that does: owners are made and lowered by owners alone.
 * @throws AppError `forbidden`
 */
export function refuseRoleBeyond({ actor }: Context, role: Role): void {
  if (actor?.kind === 'user' && actor.role === 'owner') return
  const allowed =
    role !== 'owner' && actor !== undefined && actor.baseIds === null && scopesOfRole[role].every((scope) => actor.scopes.includes(scope))
  if (!allowed) throw new AppError('forbidden', `the role ${role} is not yours to give or to take`, { field: 'role' })
}
