import { wireId, type AcceptInvitation, type InvitationPreview, type Me, type Role } from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, type Context, type PublicContext } from '../context.ts'
import { violatedIndex } from '../db/violations.ts'
import { WithHeaders } from '../handlers.ts'
import { toMe } from '../identity/me.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { addMember } from './add.ts'
import { invitationHash } from './invitations.ts'

interface Presented {
  organization_id: string
  id: string
  organization_name: string
  email: string
  role: Role
  user_exists: boolean
}

/** @throws AppError `not_found` for a token that opens nothing any more, `rate_limited` after too many of those */
export async function previewInvitation(visit: PublicContext, token: string): Promise<InvitationPreview> {
  const { organization_name: organizationName, email, role, user_exists: userExists } = await presented(visit, token)
  return { organizationName, email, role, userExists }
}

/**
 * Joins the organization: as a new user with a name and a password, or as the one whom the session belongs to.
 * @throws AppError `not_found` for a token that opens nothing, `unauthorized` without the session of a user who exists,
 * `forbidden` with that of another one, `validation_error` for a new user without name or password
 */
export async function acceptInvitation(visit: PublicContext, { token, name, password }: AcceptInvitation): Promise<WithHeaders<Me>> {
  const invitation = await presented(visit, token)
  if (invitation.user_exists) {
    const { user } = await visit.identity.sessionOf(visit.cookies)
    if (user.email.toLowerCase() !== invitation.email.toLowerCase())
      throw new AppError('forbidden', `this invitation is for ${invitation.email}, and you are signed in as ${user.email}`)
    await join(visit, token, invitation, user.id)
    visit.identity.forget(user.id)
    return new WithHeaders(toMe(await visit.identity.sessionOf(visit.cookies)), {})
  }
  if (name === undefined) throw new AppError('validation_error', 'name is required for a new user', { field: 'name' })
  if (password === undefined) throw new AppError('validation_error', 'password is required for a new user', { field: 'password' })
  const passwordHash = await visit.identity.hashPassword(password)
  await join(visit, token, invitation, newId(visit.now().getTime()), { name, passwordHash })
  const cookie = await visit.identity.signIn({ email: invitation.email, password }, visit.origin)
  return new WithHeaders(toMe(await visit.identity.sessionOf(cookie.split(';', 1)[0] ?? '')), { 'Set-Cookie': cookie })
}

async function join(
  visit: PublicContext,
  token: string,
  { organization_id: organizationId, id, email, role }: Presented,
  userId: string,
  made?: { name: string; passwordHash: string },
): Promise<void> {
  const ctx: Context = { ...visit, organizationId }
  const joined = withTransaction(ctx, async (trx) => {
    // Of two who accept at once, the second finds it gone.
    const used = await trx.deleteFrom('invitation').where('token_hash', '=', invitationHash(token)).returning('id').executeTakeFirst()
    if (used === undefined) throw noInvitation()
    if (made !== undefined)
      await sql`select create_user(${userId}, ${made.name}, ${email}, ${made.passwordHash}, ${ctx.now()})`.execute(trx)
    await addMember(ctx, trx, { userId, role })
    await audit(ctx, trx, { action: 'invitation.accepted', target: wireId('inv', id) }, { type: 'user', id: userId, ...visit.origin })
  })
  await joined.catch((error: unknown) => {
    const taken = violatedIndex(error)
    if (taken === 'user_email') throw new AppError('conflict', 'somebody signs in with this address already: sign in, then accept')
    if (taken === 'membership_pkey') throw new AppError('conflict', 'you are a member already')
    throw error
  })
}

async function presented(visit: PublicContext, token: string): Promise<Presented> {
  const { authenticationThrottle, origin } = visit
  const { found, refusal } = await authenticationThrottle.lookUp(origin.address, async () => {
    // oxlint-disable-next-line no-restricted-properties -- an invitation names its organization only once it is found
    const { rows } = await visit.db.presenting({ kind: 'invitation_hash', value: invitationHash(token) }, (trx) =>
      sql<Presented>`select * from presented_invitation()`.execute(trx),
    )
    return rows[0]
  })
  if (found === undefined) throw refusal ?? noInvitation()
  return found
}

const noInvitation = (): AppError =>
  new AppError('not_found', 'this invitation was accepted or taken back, or its time is over', { field: 'token' })
