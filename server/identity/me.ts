import { scopesOfRole, wireId, type Me, type OwnOrganization } from '@groundwork/api'
import type { SessionContext } from './context.ts'
import { WithHeaders } from '../handlers.ts'
import type { Identity, Session } from './identity.ts'

/** Returns the signed-in user from the database, not the cache. Extends an active session once a day. */
export async function getMe({ identity, session, cookies }: SessionContext): Promise<WithHeaders<Me>> {
  const cookie = await identity.renew(cookies)
  identity.invalidateSessions(session.user.id)
  return new WithHeaders(await meOf(identity, cookies), cookie === undefined ? {} : { 'Set-Cookie': cookie })
}

/**
 * Returns the user of the session of a Cookie header.
 * @throws AppError `unauthorized` if there is no session or it has ended
 */
export async function meOf(identity: Identity, cookies: string): Promise<Me> {
  const { user, memberships } = await identity.requireSession(cookies)
  const events = await identity.newestEvents(cookies)
  return {
    user: { ...user, id: wireId('usr', user.id), createdAt: user.createdAt.toISOString() },
    organizations: memberships.map((membership) => toOwnOrganization(membership, events.get(membership.organizationId) ?? null)),
  }
}

export const toOwnOrganization = (
  { organizationId, name, slug, role }: Session['memberships'][number],
  lastEventId: string | null,
): OwnOrganization => ({
  id: wireId('org', organizationId),
  name,
  slug,
  role,
  scopes: [...scopesOfRole[role]],
  lastEventId: lastEventId === null ? null : wireId('evt', lastEventId),
})
