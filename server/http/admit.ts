import { scopesOfRole, type Scope } from '@groundwork/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorId, type Actor, type Context, type Origin, type Platform, type SessionContext, type PublicContext } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { Authenticate } from '../tokens/authenticator.ts'
import { isFromOwnPage, requireOwnPage } from './own-page.ts'
import { limitRate } from './rate-limit.ts'

/** Who asks, and for which organization. */
interface Asker {
  readonly organizationId: string
  readonly actor: Actor
}

/**
 * Finds out who asks: by the token that is presented, else by the session of the cookie and the organization that the
 * request names.
 * @throws AppError `unauthorized`, `rate_limited`; for a session `forbidden` from another page, `bad_request` without an
 * organization, `not_found` for one that the user is no member of
 */
export type Identify = (request: FastifyRequest) => Promise<Asker>

export function identifier(platform: Platform, authenticate: Authenticate): Identify {
  return async (request) => {
    const secret = presentedSecret(request)
    if (secret === '' && platform.identity.presentsSession(request.headers.cookie ?? '')) return memberOf(request, platform)
    return tokenBearer(request, authenticate, secret)
  }
}

/** Who presents the token. */
export async function tokenBearer(request: FastifyRequest, authenticate: Authenticate, secret: string): Promise<Asker> {
  const { organizationId, ...bearer } = await authenticate(secret, request.client.address)
  return { organizationId, actor: { ...bearer, ...originOf(request) } }
}

async function memberOf(request: FastifyRequest, platform: Platform): Promise<Asker> {
  const { session } = await admitSession(request, platform)
  const named = request.headers['groundwork-organization']
  if (typeof named !== 'string' || named === '') {
    throw new AppError('bad_request', 'Groundwork-Organization is required: send the id of the organization to act for', {
      field: 'Groundwork-Organization',
    })
  }
  const membership = session.memberships.find(({ organizationId }) => named === `org_${organizationId}` || named === organizationId)
  if (membership === undefined) throw new AppError('not_found', 'there is no such organization', { field: 'Groundwork-Organization' })
  const { organizationId, role } = membership
  const may = { role, scopes: scopesOfRole[role], baseIds: null }
  return { organizationId, actor: { kind: 'user', userId: session.user.id, sessionId: session.id, ...may, ...originOf(request) } }
}

/**
 * Whoever is signed in, whatever the organization.
 * @throws AppError `unauthorized`, `forbidden` from another page
 */
export async function admitSession(request: FastifyRequest, platform: Platform): Promise<SessionContext> {
  const { cookie = '' } = request.headers
  const session = await platform.identity.sessionOf(cookie)
  requireOwnPage(request, platform.baseUrl)
  request.log = request.log.child({ userId: session.user.id })
  return { ...publicContext(request, platform), session }
}

/** Nobody in particular, who may yet be signed in. */
export function publicContext(request: FastifyRequest, platform: Platform): PublicContext {
  const { cookie = '' } = request.headers
  return { ...platform, origin: originOf(request), cookies: isFromOwnPage(request, platform.baseUrl) ? cookie : '' }
}

/**
 * On whose behalf a request acts: counts it against the limits of who asks, and wants the scope, if one is named.
 * @throws AppError `rate_limited`, `forbidden`
 */
export type Admit = (request: FastifyRequest, reply: FastifyReply, asker: Asker, scope: Scope | null) => Promise<Context>

export function admitter(platform: Platform, limits: Limits): Admit {
  return async (request, reply, { organizationId, actor }, scope) => {
    request.log = request.log.child({ organizationId, ...(actor.kind === 'token' && { tokenId: actor.tokenId }) })
    const counted = limitRate(reply, limits, organizationId, actorId(actor))
    if (counted !== undefined) await counted
    if (scope !== null && !actor.scopes.includes(scope)) {
      throw new AppError('forbidden', `${actor.kind === 'token' ? 'the API token' : `the role ${actor.role}`} lacks the scope ${scope}`)
    }
    return { ...platform, organizationId, actor, arrivedAt: performance.now() - reply.elapsedTime, log: request.log as Context['log'] }
  }
}

export const originOf = (request: FastifyRequest): Origin => ({ address: request.client.address, requestId: request.id })

/** The token that a request presents; empty where it presents none. */
export function presentedSecret(request: FastifyRequest): string {
  const key = request.headers['x-api-key']
  return bearerOf(request) ?? (typeof key === 'string' ? key : '')
}

/** What `Authorization: Bearer` presents. */
export const bearerOf = (request: FastifyRequest): string | undefined => /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
