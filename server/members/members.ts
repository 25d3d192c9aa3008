import { wireId, type ListMembers, type Member, type Role, type UpdateMember } from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, select, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Transaction } from '../db/schema.ts'
import type { IdentityContext } from '../identity/context.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { requireGrantableRole } from '../identity/grantable-roles.ts'

interface MemberRow {
  id: string
  name: string
  email: string
  role: Role
  two_factor_enabled: boolean
  created_at: Date
}

/** Selects the members of the transaction's organization, joined with their user data by a SQL function. */
export const membersIn = (db: Transaction) => db.selectFrom(sql<MemberRow>`organization_members()`.as('member')).selectAll()

/** Lists members, the most recent first. */
export async function listMembers(ctx: Context, input: ListMembers): Promise<{ data: Member[]; nextCursor: string | null }> {
  const page = pageOf(await select(ctx, (db) => newestFirst(membersIn(db), 'member', input)), input.limit)
  return { data: page.rows.map(toMember), nextCursor: page.nextCursor }
}

/** Counts members and open invitations. */
export async function memberTotals(ctx: Context): Promise<{ count: number; invitations: number }> {
  const [totals] = await select(ctx, (db) =>
    db.selectNoFrom((of) => [
      of
        .selectFrom('membership')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('count'),
      of
        .selectFrom('invitation')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('expires_at', '>', ctx.now())
        .as('invitations'),
    ]),
  )
  return { count: totals?.count ?? 0, invitations: totals?.invitations ?? 0 }
}

/** @throws AppError `not_found`, `forbidden` for a role that the actor cannot grant, `conflict` for the last owner */
export async function updateMember(ctx: IdentityContext, userId: string, { role }: UpdateMember): Promise<Member> {
  const changed = await withTransaction(ctx, async (trx) => {
    const before = await lockMember(trx, userId)
    requireGrantableRole(ctx, before.role)
    requireGrantableRole(ctx, role)
    if (role !== 'owner') requireAnotherOwner(before)
    if (role !== before.role) {
      await trx.updateTable('membership').set({ role }).where('user_id', '=', userId).execute()
      await audit(ctx, trx, { action: 'member.updated', target: wireId('usr', userId) })
    }
    return toMember(await membersIn(trx).where('member.id', '=', userId).executeTakeFirstOrThrow())
  })
  ctx.identity.invalidateSessions(userId)
  return changed
}

/**
 * Removes a member. Members can also remove themselves.
 * @throws AppError `not_found`, `forbidden` without the scope or for a role that the actor cannot revoke, `conflict` for the
 * last owner
 */
export async function removeMember(ctx: IdentityContext, userId: string): Promise<void> {
  const isSelf = ctx.actor?.kind === 'user' && ctx.actor.userId === userId
  await withTransaction(ctx, async (trx) => {
    const before = await lockMember(trx, userId)
    if (!isSelf) {
      if (ctx.actor?.scopes.includes('members:write') !== true)
        throw new AppError('forbidden', 'Removing other members requires the scope members:write.')
      requireGrantableRole(ctx, before.role)
    }
    requireAnotherOwner(before)
    await trx.deleteFrom('membership').where('user_id', '=', userId).execute()
    await audit(ctx, trx, { action: 'member.removed', target: wireId('usr', userId) })
  })
  ctx.identity.invalidateSessions(userId)
}

interface LockedMember {
  role: Role
  isLastOwner: boolean
}

/** Locks all memberships of the organization, so that two owners who demote each other run one after the other. */
async function lockMember(trx: Transaction, userId: string): Promise<LockedMember> {
  const rows = await trx.selectFrom('membership').select(['user_id', 'role']).orderBy('user_id').forUpdate().execute()
  const row = rows.find(({ user_id }) => user_id === userId)
  if (row === undefined) throw new AppError('not_found', 'There is no such member.', { field: 'userId' })
  return { role: row.role, isLastOwner: row.role === 'owner' && rows.filter(({ role }) => role === 'owner').length === 1 }
}

function requireAnotherOwner({ isLastOwner }: LockedMember): void {
  if (isLastOwner) throw new AppError('conflict', 'This is the last owner. Make another member an owner first.')
}

const toMember = ({ id, name, email, role, two_factor_enabled, created_at }: MemberRow): Member => ({
  id: wireId('usr', id),
  name,
  email,
  role,
  twoFactorEnabled: two_factor_enabled,
  joinedAt: created_at.toISOString(),
})
