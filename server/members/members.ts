import { wireId, type ListMembers, type Member, type Role, type UpdateMember } from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, select, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { refuseRoleBeyond } from './rules.ts'

interface MemberRow {
  id: string
  name: string
  email: string
  role: Role
  two_factor_enabled: boolean
  created_at: Date
}

/** The members of the transaction's organization, with what only the people's own tables know of them. */
export const membersIn = (db: Transaction) => db.selectFrom(sql<MemberRow>`organization_members()`.as('member')).selectAll()

/** Who joined last comes first. */
export async function listMembers(ctx: Context, input: ListMembers): Promise<{ data: Member[]; nextCursor: string | null }> {
  const page = pageOf(await select(ctx, (db) => newestFirst(membersIn(db), 'member', input)), input.limit)
  return { data: page.rows.map(toMember), nextCursor: page.nextCursor }
}

/** Members, and invitations that can still be accepted. */
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

/** @throws AppError `not_found`, `forbidden` for what only an owner may do, `conflict` when no owner would be left */
export async function updateMember(ctx: Context, userId: string, { role }: UpdateMember): Promise<Member> {
  const changed = await withTransaction(ctx, async (trx) => {
    const before = await lockMember(trx, userId)
    refuseRoleBeyond(ctx, before.role)
    refuseRoleBeyond(ctx, role)
    if (role !== 'owner') refuseLastOwner(before)
    await trx.updateTable('membership').set({ role }).where('user_id', '=', userId).execute()
    await audit(ctx, trx, { action: 'member.updated', target: wireId('usr', userId) })
    return toMember(await membersIn(trx).where('member.id', '=', userId).executeTakeFirstOrThrow())
  })
  ctx.identity.forget(userId)
  return changed
}

/**
 * Ends a membership: one's own by leaving.
 * @throws AppError `not_found`, `forbidden` for who may not remove this one, `conflict` for the last owner
 */
export async function removeMember(ctx: Context, userId: string): Promise<void> {
  const isOneself = ctx.actor?.kind === 'user' && ctx.actor.userId === userId
  await withTransaction(ctx, async (trx) => {
    const before = await lockMember(trx, userId)
    if (!isOneself) {
      if (ctx.actor?.scopes.includes('members:write') !== true)
        throw new AppError('forbidden', 'to remove others takes the scope members:write')
      refuseRoleBeyond(ctx, before.role)
    }
    refuseLastOwner(before)
    await trx.deleteFrom('membership').where('user_id', '=', userId).execute()
    await audit(ctx, trx, { action: 'member.removed', target: wireId('usr', userId) })
  })
  ctx.identity.forget(userId)
}

interface Locked {
  role: Role
  isLastOwner: boolean
}

/** Holds the memberships of the organization, so that two owners who lower each other do so one after the other. */
async function lockMember(trx: Transaction, userId: string): Promise<Locked> {
  const rows = await trx.selectFrom('membership').select(['user_id', 'role']).orderBy('user_id').forUpdate().execute()
  const row = rows.find(({ user_id }) => user_id === userId)
  if (row === undefined) throw new AppError('not_found', 'there is no such member', { field: 'userId' })
  return { role: row.role, isLastOwner: row.role === 'owner' && rows.filter(({ role }) => role === 'owner').length === 1 }
}

function refuseLastOwner({ isLastOwner }: Locked): void {
  if (isLastOwner) throw new AppError('conflict', 'this is the last owner: make somebody else an owner first')
}

const toMember = ({ id, name, email, role, two_factor_enabled, created_at }: MemberRow): Member => ({
  id: wireId('usr', id),
  name,
  email,
  role,
  twoFactorEnabled: two_factor_enabled,
  joinedAt: created_at.toISOString(),
})
