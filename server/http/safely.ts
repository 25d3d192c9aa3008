import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { WithHeaders } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { etagOf, requireMatch } from './etag.ts'
import { keyedRequest, settle, StillRunning } from './idempotency.ts'

type Work = (ctx: Context) => Promise<WithHeaders<unknown>>

/**
 * Does the work under the headers that make it safe to repeat, where the request has them: Idempotency-Key, if the route
 * takes one, and If-Match, if it changes a record, which `current` reads.
 */
export async function safely(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: Context,
  { idempotent, current }: { idempotent: boolean; current: Work | undefined },
  work: Work,
): Promise<WithHeaders<unknown>> {
  const keyed = idempotent ? keyedRequest(request, ctx) : undefined
  const ifMatch = request.headers['if-match']
  const precondition =
    current && ifMatch !== undefined
      ? async (own: Context): Promise<void> => requireMatch(ifMatch, etagOf(JSON.stringify((await current(own)).body)))
      : undefined
  if (keyed === undefined && precondition === undefined) return work(ctx)
  const { outcome, replayed } = await settle(ctx, { keyed, precondition }, work).catch((error: unknown) => {
    if (!(error instanceof StillRunning)) throw error
    throw new AppError('conflict', 'the request with this Idempotency-Key is still running', {
      field: 'Idempotency-Key',
      retryAfterSeconds: 1,
    })
  })
  if (replayed) reply.header('Idempotency-Replayed', 'true')
  if (outcome instanceof AppError) throw outcome
  return outcome
}
