import type { Scope } from '@groundwork/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Origin, Platform } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { Authenticate } from '../tokens/authenticator.ts'
import { limitRate } from './rate-limit.ts'

/**
 * On whose behalf a request acts: finds the token, counts the request against its limits, and wants the scope, if one is named.
 * @throws AppError `unauthorized`, `rate_limited`, `forbidden`
 */
export type Admit = (request: FastifyRequest, reply: FastifyReply, wanted: { scope: Scope | null; secret: string }) => Promise<Context>

export function admitter(platform: Platform, authenticate: Authenticate, limits: Limits): Admit {
  return async (request, reply, { scope, secret }) => {
    const { organizationId, ...bearer } = await authenticate(secret, request.ip)
    const actor = { ...bearer, ...originOf(request) }
    request.log = request.log.child({ organizationId, tokenId: actor.tokenId })
    const counted = limitRate(reply, limits, organizationId, actor.tokenId)
    if (counted !== undefined) await counted
    if (scope !== null && !actor.scopes.includes(scope)) throw new AppError('forbidden', `the API token lacks the scope ${scope}`)
    return { ...platform, organizationId, actor, arrivedAt: performance.now() - reply.elapsedTime, log: request.log as Context['log'] }
  }
}

export const originOf = (request: FastifyRequest): Origin => ({ address: request.ip, requestId: request.id })

/** The token that a request presents; empty where it presents none. */
export function presentedSecret(request: FastifyRequest): string {
  const key = request.headers['x-api-key']
  return bearerOf(request) ?? (typeof key === 'string' ? key : '')
}

/** What `Authorization: Bearer` presents. */
export const bearerOf = (request: FastifyRequest): string | undefined => /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
