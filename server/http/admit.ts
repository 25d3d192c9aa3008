import { scopesOfRole, type Scope } from '@groundwork/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorId, type Actor, type Origin } from '../context.ts'
import type { PublicContext, SessionContext } from '../identity/context.ts'
import type { Platform, PlatformContext } from '../platform.ts'
import { AppError } from '../lib/errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { Authenticate } from '../tokens/authenticator.ts'
import { isSameOrigin, requireSameOrigin } from './same-origin.ts'
import { applyRateLimit } from './rate-limit.ts'

/** An authenticated caller and its organization. */
export interface Principal {
  readonly organizationId: string
  readonly actor: Actor
}

/**
 * Authenticates a request by its token, or otherwise by its session cookie and Groundwork-Organization header.
 * @throws AppError `unauthorized`, `rate_limited`; with a session also `forbidden` for another Origin, `bad_request` without
 * Groundwork-Organization, `not_found` if the user is not a member of it
 */
export type Identify = (request: FastifyRequest) => Promise<Principal>

export function createIdentify(platform: Platform, authenticate: Authenticate): Identify {
  return async (request) => {
    const secret = presentedSecret(request)
    if (secret === '' && platform.identity.hasSessionCookie(request.headers.cookie ?? '')) return authenticateMember(request, platform)
    return authenticateToken(request, authenticate, secret)
  }
}

/** Authenticates a request by the given token. */
export async function authenticateToken(request: FastifyRequest, authenticate: Authenticate, secret: string): Promise<Principal> {
  const { organizationId, ...bearer } = await authenticate(secret, request.client.address)
  return { organizationId, actor: { ...bearer, ...originOf(request) } }
}

async function authenticateMember(request: FastifyRequest, platform: Platform): Promise<Principal> {
  const { session } = await admitSession(request, platform)
  const named = request.headers['groundwork-organization']
  if (typeof named !== 'string' || named === '') {
    throw new AppError('bad_request', 'Groundwork-Organization is required. Send the id of the organization to act for.', {
      field: 'Groundwork-Organization',
    })
  }
  const membership = session.memberships.find(({ organizationId }) => named === `org_${organizationId}` || named === organizationId)
  if (membership === undefined)
    throw new AppError('not_found', 'There is no such organization, or you are not a member of it.', { field: 'Groundwork-Organization' })
  const { organizationId, role } = membership
  const permissions = { role, scopes: scopesOfRole[role], baseIds: null }
  return { organizationId, actor: { kind: 'user', userId: session.user.id, sessionId: session.id, ...permissions, ...originOf(request) } }
}

/**
 * Authenticates a request by its session cookie alone, without an organization.
 * @throws AppError `unauthorized`, `forbidden` for another Origin
 */
export async function admitSession(request: FastifyRequest, platform: Platform): Promise<SessionContext> {
  const { cookie = '' } = request.headers
  const session = await platform.identity.requireSession(cookie)
  requireSameOrigin(request, platform.baseUrl)
  request.log = request.log.child({ userId: session.user.id })
  return { ...publicContext(request, platform), session }
}

/** Returns the context of a request that needs no authentication. It may still carry a session cookie. */
export function publicContext(request: FastifyRequest, platform: Platform): PublicContext {
  const { cookie = '', 'user-agent': userAgent = '' } = request.headers
  return { ...platform, origin: originOf(request), userAgent, cookies: isSameOrigin(request, platform.baseUrl) ? cookie : '' }
}

/**
 * Counts the request against the principal's rate limits, checks that the principal has one of the scopes unless there are none,
 * and returns the handler's context.
 * @throws AppError `rate_limited`, `forbidden`
 */
export type Admit = (
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
  scopes: readonly Scope[],
) => Promise<PlatformContext>

export function createAdmit(platform: Platform, limits: Limits): Admit {
  const contextOf = createContextOf(platform)
  return async (request, reply, principal, scopes) => {
    const ctx = contextOf(request, reply, principal)
    const { organizationId, actor } = principal
    const limited = applyRateLimit(reply, limits, organizationId, actorId(actor))
    if (limited !== undefined) await limited
    if (scopes.length > 0 && !scopes.some((scope) => actor.scopes.includes(scope))) {
      const holder = actor.kind === 'token' ? 'The API token' : `The role ${actor.role}`
      throw new AppError('forbidden', `${holder} lacks the scope ${scopes.join(' or ')}.`)
    }
    return ctx
  }
}

type ContextOf = (request: FastifyRequest, reply: FastifyReply, principal: Principal) => PlatformContext

/** Returns a function that notes the principal for both logs, and returns the handler's context. */
export function createContextOf(platform: Platform): ContextOf {
  // It has every property of a context, because V8 copies a large object fast but adds properties to it slowly.
  const blank: Omit<PlatformContext, 'actor'> & { actor: Actor | undefined } = {
    ...platform,
    organizationId: '',
    actor: undefined,
    arrivedAt: 0,
  }
  return (request, reply, { organizationId, actor }) => {
    request.principal = { organizationId, actor }
    request.log = request.log.child({ organizationId, ...(actor.kind === 'token' && { tokenId: actor.tokenId }) })
    return {
      ...blank,
      organizationId,
      actor,
      arrivedAt: performance.now() - reply.elapsedTime,
      log: request.log as PlatformContext['log'],
    }
  }
}

export const originOf = (request: FastifyRequest): Origin => ({ address: request.client.address, requestId: request.id })

/** Returns the token of the Authorization or X-Api-Key header; empty if there is none. */
export function presentedSecret(request: FastifyRequest): string {
  const key = request.headers['x-api-key']
  return bearerToken(request) ?? (typeof key === 'string' ? key : '')
}

export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
