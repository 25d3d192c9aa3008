import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { StreamOptions } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'

/** Maximum concurrent streams of a process and of one organization, so that one organization cannot use them all. */
const limits = { program: 1000, organization: 50 }
/** Closes a connection after this time without progress. */
const stallTimeoutMs = 60_000

/**
 * Reserves a stream for a request.
 * @throws AppError `rate_limited` or `unavailable` if the maximum is reached
 */
export type OpenStream = (request: FastifyRequest, reply: FastifyReply) => StreamOptions

/** Bounds the number of concurrent streams. Aborts each stream when its client disconnects or the server closes. */
export function streamSlots(app: FastifyInstance): OpenStream {
  const open = new Map<AbortController, string | undefined>()
  app.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.abort()
  })
  return (request, reply) => {
    if (request.raw.socket.destroyed) throw new AppError('unavailable', 'The client has disconnected.')
    const organizationId = request.ctx?.organizationId
    if ([...open.values()].filter((owner) => owner === organizationId).length >= limits.organization) {
      throw new AppError('rate_limited', `This organization already has ${limits.organization} open streams, which is the maximum.`, {
        retryAfterSeconds: 10,
      })
    }
    if (open.size >= limits.program) throw new AppError('unavailable', 'The maximum number of open streams is reached. Try again shortly.')
    const stream = new AbortController()
    open.set(stream, organizationId)
    reply.raw.once('close', () => {
      open.delete(stream)
      stream.abort()
    })
    const lastEventId = request.headers['last-event-id']
    return { lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null, signal: stream.signal }
  }
}

/** Sends records as server-sent events and null as a comment. Applies backpressure, and ends when `isAuthorized` returns false. */
export function sendStream(
  reply: FastifyReply,
  records: AsyncIterable<unknown>,
  applySchema: (record: unknown) => unknown,
  isAuthorized: () => Promise<boolean>,
): FastifyReply {
  reply.raw.setTimeout(stallTimeoutMs, () => reply.raw.destroy())
  return reply
    .type('text/event-stream; charset=utf-8')
    .headers({ 'X-Accel-Buffering': 'no', Connection: 'close' })
    .send(Readable.from(serverSentEvents(records, applySchema, isAuthorized), { highWaterMark: 1 }))
}

async function* serverSentEvents(
  records: AsyncIterable<unknown>,
  applySchema: (record: unknown) => unknown,
  isAuthorized: () => Promise<boolean>,
): AsyncGenerator<string> {
  for await (const record of records) {
    if (!(await isAuthorized())) return
    yield record === null ? ':\n\n' : serverSentEvent(applySchema(record))
  }
}

/** Safe cast: streamed records have an id and a type. */
function serverSentEvent(record: unknown): string {
  const { id, type } = record as { id: string; type: string }
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(record)}\n\n`
}
