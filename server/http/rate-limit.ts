import type { FastifyReply } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { Admission, Limits } from '../limits/limits.ts'

/**
 * Counts the request and tells its answer of the limits; waits only where the count is not in memory.
 * @throws AppError `rate_limited`
 */
export function limitRate(reply: FastifyReply, limits: Limits, organizationId: string, actorId: string): void | Promise<void> {
  const { policy } = limits
  if (policy === null) return
  const admission = limits.take(organizationId, actorId)
  if (admission instanceof Promise) return admission.then((late) => tell(reply, policy, late))
  tell(reply, policy, admission)
}

function tell(reply: FastifyReply, policy: string, { refusedBy, state, resetSeconds }: Admission): void {
  reply.header('RateLimit-Policy', policy).header('RateLimit', state)
  if (refusedBy === null) return
  const whose = refusedBy === 'token' ? 'this API token or user' : 'the organization'
  throw new AppError('rate_limited', `${whose} has used up its requests of this minute`, { retryAfterSeconds: resetSeconds })
}
