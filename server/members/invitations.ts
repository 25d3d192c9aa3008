import { invitationDays, wireId, type CreateInvitation, type Invitation, type ListInvitations } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import { audit } from '../audit/audit.ts'
import { withTransaction, select, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { InvitationTable, Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { enqueueMail } from '../mail/send.ts'
import { membersIn } from './members.ts'
import { requireGrantableRole } from '../identity/grantable-roles.ts'

/**
 * @throws AppError `forbidden` for a role that the actor cannot grant, `conflict` if the address belongs to a member or has an
 * open invitation
 */
export async function createInvitation(ctx: Context, { email, role }: CreateInvitation): Promise<Invitation> {
  requireGrantableRole(ctx, role)
  const created = withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const member = await membersIn(trx).where('member.email', '=', email).executeTakeFirst()
    if (member !== undefined) throw new AppError('conflict', 'email belongs to a member of this organization', { field: 'email' })
    await trx.deleteFrom('invitation').where('email', '=', email).where('expires_at', '<=', now).execute()
    const { token, ...secret } = newSecret(now)
    const row = await trx
      .insertInto('invitation')
      .values({ organization_id: ctx.organizationId, id: newId(now.getTime()), email, role, created_at: now, ...secret })
      .returningAll()
      .executeTakeFirstOrThrow()
    await sendInvitation(ctx, trx, row, token)
    await audit(ctx, trx, { action: 'invitation.created', target: wireId('inv', row.id) })
    return toInvitation(row)
  })
  return created.catch((error: unknown) => {
    if (violatedIndex(error) !== 'invitation_email') throw error
    throw new AppError('conflict', 'email already has an open invitation; resend that one instead', { field: 'email' })
  })
}

/** Lists invitations, newest first, including expired ones. */
export async function listInvitations(ctx: Context, input: ListInvitations): Promise<{ data: Invitation[]; nextCursor: string | null }> {
  const rows = await select(ctx, (db) => newestFirst(db.selectFrom('invitation').selectAll(), 'invitation', input))
  const page = pageOf(rows, input.limit)
  return { data: page.rows.map(toInvitation), nextCursor: page.nextCursor }
}

/** @throws AppError `not_found` */
export async function getInvitation(ctx: Context, invitationId: string): Promise<Invitation> {
  const [row] = await select(ctx, (db) => db.selectFrom('invitation').selectAll().where('id', '=', invitationId))
  if (row === undefined) throw noSuchInvitation()
  return toInvitation(row)
}

/** @throws AppError `not_found`, `forbidden` for a role that the actor cannot revoke */
export function deleteInvitation(ctx: Context, invitationId: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    const deleted = await trx.deleteFrom('invitation').where('id', '=', invitationId).returning('role').executeTakeFirst()
    if (deleted === undefined) throw noSuchInvitation()
    requireGrantableRole(ctx, deleted.role)
    await audit(ctx, trx, { action: 'invitation.deleted', target: wireId('inv', invitationId) })
  })
}

/**
 * Sends the invitation again with a new link. The previous link ends.
 * @throws AppError `not_found`, `forbidden` for a role that the actor cannot grant
 */
export function resendInvitation(ctx: Context, invitationId: string): Promise<Invitation> {
  return withTransaction(ctx, async (trx) => {
    const { token, ...secret } = newSecret(ctx.now())
    const row = await trx.updateTable('invitation').set(secret).where('id', '=', invitationId).returningAll().executeTakeFirst()
    if (row === undefined) throw noSuchInvitation()
    requireGrantableRole(ctx, row.role)
    await sendInvitation(ctx, trx, row, token)
    await audit(ctx, trx, { action: 'invitation.resent', target: wireId('inv', invitationId) })
    return toInvitation(row)
  })
}

export const invitationHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Returns 256 random bits for the link, and the columns derived from them. */
function newSecret(now: Date): { token: string; token_hash: Buffer; expires_at: Date } {
  const token = randomBytes(32).toString('base64url')
  return { token, token_hash: invitationHash(token), expires_at: new Date(now.getTime() + invitationDays * 86_400_000) }
}

async function sendInvitation(ctx: Context, trx: Transaction, { email, role }: Selectable<InvitationTable>, token: string): Promise<void> {
  const { name } = await trx.selectFrom('organization').select('name').where('id', '=', ctx.organizationId).executeTakeFirstOrThrow()
  const text = `You have been invited to join ${name} on Groundwork.

Open this link to accept the invitation. It works once and expires in ${invitationDays} days:

${ctx.baseUrl}/app/invitation#${token}

If you did not expect this invitation, ignore this email.
`
  await enqueueMail(ctx, trx, { kind: 'invitation', to: email, subject: `Invitation to join ${name}`, text, givesRole: role })
}

const noSuchInvitation = (): AppError => new AppError('not_found', 'There is no such invitation.', { field: 'invitationId' })

const toInvitation = ({ id, email, role, created_at, expires_at }: Selectable<InvitationTable>): Invitation => ({
  id: wireId('inv', id),
  email,
  role,
  createdAt: created_at.toISOString(),
  expiresAt: expires_at.toISOString(),
})
