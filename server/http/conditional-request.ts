import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PlatformContext } from '../platform.ts'
import type { WithHeaders } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { etagOf, requireIfMatch } from './etag.ts'
import { keyedRequest, runRequest, KeyInUse } from './idempotency.ts'

type Work = (ctx: PlatformContext) => Promise<WithHeaders<unknown>>

/**
 * Runs a handler under Idempotency-Key, if the route supports it, and If-Match, if the route changes a record. `current` reads
 * that record.
 */
export async function runConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: PlatformContext,
  { idempotent, current }: { idempotent: boolean; current: Work | undefined },
  work: Work,
): Promise<WithHeaders<unknown>> {
  const keyed = idempotent ? keyedRequest(request, ctx) : undefined
  const ifMatch = request.headers['if-match']
  const precondition =
    current && ifMatch !== undefined
      ? async (requestCtx: PlatformContext): Promise<void> =>
          requireIfMatch(ifMatch, etagOf(JSON.stringify((await current(requestCtx)).body)))
      : undefined
  if (keyed === undefined && precondition === undefined) return work(ctx)
  const { outcome, replayed } = await runRequest(ctx, { keyed, precondition }, work).catch((error: unknown) => {
    if (!(error instanceof KeyInUse)) throw error
    throw new AppError('conflict', 'A request with this Idempotency-Key is still running. Try again shortly.', {
      field: 'Idempotency-Key',
      retryAfterSeconds: 1,
    })
  })
  if (replayed) reply.header('Idempotency-Replayed', 'true')
  if (outcome instanceof AppError) throw outcome
  return outcome
}
