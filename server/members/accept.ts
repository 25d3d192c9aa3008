import { wireId, type AcceptInvitation, type InvitationPreview, type Me, type Role } from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, type Context } from '../context.ts'
import type { PublicContext } from '../identity/context.ts'
import { violatedIndex } from '../db/violations.ts'
import { WithHeaders } from '../handlers.ts'
import { meOf } from '../identity/me.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { addMember } from './add.ts'
import { invitationHash } from './invitations.ts'

interface PresentedInvitation {
  organization_id: string
  id: string
  organization_name: string
  email: string
  role: Role
  user_exists: boolean
}

/** @throws AppError `not_found` for a token without an open invitation, `rate_limited` after too many of those */
export async function previewInvitation(publicCtx: PublicContext, token: string): Promise<InvitationPreview> {
  const { organization_name: organizationName, email, role, user_exists: userExists } = await findInvitation(publicCtx, token)
  return { organizationName, email, role, userExists }
}

/**
 * Accepts an invitation: creates a user with name and password, or adds the signed-in user.
 * @throws AppError `not_found` for a token without an open invitation, `unauthorized` if the user exists and is not signed in,
 * `forbidden` if another user is signed in, `validation_error` for a new user without name or password
 */
export async function acceptInvitation(publicCtx: PublicContext, { token, name, password }: AcceptInvitation): Promise<WithHeaders<Me>> {
  const invitation = await findInvitation(publicCtx, token)
  if (invitation.user_exists) {
    const { user } = await publicCtx.identity.requireSession(publicCtx.cookies)
    if (user.email.toLowerCase() !== invitation.email.toLowerCase())
      throw new AppError('forbidden', `This invitation is for ${invitation.email}, but you are signed in as ${user.email}.`)
    await joinOrganization(publicCtx, token, invitation, user.id)
    publicCtx.identity.invalidateSessions(user.id)
    return new WithHeaders(await meOf(publicCtx.identity, publicCtx.cookies), {})
  }
  if (name === undefined) throw new AppError('validation_error', 'name is required for a new user', { field: 'name' })
  if (password === undefined) throw new AppError('validation_error', 'password is required for a new user', { field: 'password' })
  const passwordHash = await publicCtx.identity.hashPassword(password)
  await joinOrganization(publicCtx, token, invitation, newId(publicCtx.now().getTime()), { name, passwordHash })
  const cookie = await publicCtx.identity.signIn({ email: invitation.email, password }, publicCtx)
  return new WithHeaders(await meOf(publicCtx.identity, cookie.split(';', 1)[0] ?? ''), { 'Set-Cookie': cookie })
}

async function joinOrganization(
  publicCtx: PublicContext,
  token: string,
  { organization_id: organizationId, id, email, role }: PresentedInvitation,
  userId: string,
  newUser?: { name: string; passwordHash: string },
): Promise<void> {
  const ctx: Context = { ...publicCtx, organizationId }
  const result = withTransaction(ctx, async (trx) => {
    // Of two concurrent requests, the second finds no row.
    const used = await trx.deleteFrom('invitation').where('token_hash', '=', invitationHash(token)).returning('id').executeTakeFirst()
    if (used === undefined) throw invitationNotFound()
    if (newUser !== undefined)
      await sql`select create_user(${userId}, ${newUser.name}, ${email}, ${newUser.passwordHash}, ${ctx.now()})`.execute(trx)
    await addMember(ctx, trx, { userId, role })
    await audit(ctx, trx, { action: 'invitation.accepted', target: wireId('inv', id) }, { type: 'user', id: userId, ...publicCtx.origin })
  })
  await result.catch((error: unknown) => {
    const violated = violatedIndex(error)
    if (violated === 'user_email')
      throw new AppError('conflict', 'A user with this email address already exists. Sign in, then accept the invitation.')
    if (violated === 'membership_pkey') throw new AppError('conflict', 'You are already a member of this organization.')
    throw error
  })
}

async function findInvitation(publicCtx: PublicContext, token: string): Promise<PresentedInvitation> {
  const { authenticationThrottle, origin } = publicCtx
  const { found, refusal } = await authenticationThrottle.lookUp(origin.address, async () => {
    // oxlint-disable-next-line no-restricted-properties -- the organization is unknown until the invitation is found
    const { rows } = await publicCtx.db.presenting({ kind: 'invitation_hash', value: invitationHash(token) }, (trx) =>
      sql<PresentedInvitation>`select * from presented_invitation()`.execute(trx),
    )
    return rows[0]
  })
  if (found === undefined) throw refusal ?? invitationNotFound()
  return found
}

const invitationNotFound = (): AppError =>
  new AppError('not_found', 'This invitation is no longer valid: it was accepted, withdrawn or replaced, or it has expired.', {
    field: 'token',
  })
