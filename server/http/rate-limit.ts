import type { FastifyReply } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { Admission, Limits } from '../limits/limits.ts'

/**
 * Counts the request and sets the RateLimit headers. Returns a promise only if the count is not in memory.
 * @throws AppError `rate_limited`
 */
export function applyRateLimit(reply: FastifyReply, limits: Limits, organizationId: string, actorId: string): void | Promise<void> {
  const { policy } = limits
  if (policy === null) return
  const admission = limits.take(organizationId, actorId)
  if (admission instanceof Promise) return admission.then((late) => applyAdmission(reply, policy, late))
  applyAdmission(reply, policy, admission)
}

function applyAdmission(reply: FastifyReply, policy: string, { refusedBy, state, resetSeconds }: Admission): void {
  reply.header('RateLimit-Policy', policy).header('RateLimit', state)
  if (refusedBy === null) return
  const subject = refusedBy === 'token' ? 'The API token or user' : 'The organization'
  throw new AppError('rate_limited', `${subject} has used up its requests for this minute.`, { retryAfterSeconds: resetSeconds })
}
