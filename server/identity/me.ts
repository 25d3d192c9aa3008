import { scopesOfRole, wireId, type Me, type OwnOrganization } from '@groundwork/api'
import type { SessionContext } from './context.ts'
import { WithHeaders } from '../handlers.ts'
import type { Session } from './identity.ts'
import type { Membership } from './sessions.ts'

/** Returns the signed-in user from the database, not the cache. Extends an active session once a day. */
export async function getMe({ identity, session, cookies }: SessionContext): Promise<WithHeaders<Me>> {
  const cookie = await identity.renew(cookies)
  identity.invalidateSessions(session.user.id)
  return new WithHeaders(toMe(await identity.requireSession(cookies)), cookie === undefined ? {} : { 'Set-Cookie': cookie })
}

export function toMe({ user, memberships }: Session): Me {
  return {
    user: { ...user, id: wireId('usr', user.id), createdAt: user.createdAt.toISOString() },
    organizations: memberships.map(toOwnOrganization),
  }
}

export const toOwnOrganization = ({ organizationId, name, slug, role, lastEventId }: Membership): OwnOrganization => ({
  id: wireId('org', organizationId),
  name,
  slug,
  role,
  scopes: [...scopesOfRole[role]],
  lastEventId: lastEventId === null ? null : wireId('evt', lastEventId),
})
