import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { Streaming } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'

/** Streams at a time: of a program, and of one organization, which is not to take the room of all. */
const limits = { program: 1000, organization: 50 }
/** A connection on which nothing could be sent for so long is given up. */
const stuckMs = 60_000

/** Begins a stream. @throws AppError `rate_limited` or `unavailable` where there is no room for it */
export type BeginStream = (request: FastifyRequest, reply: FastifyReply) => Streaming

/** Room for answers that go on. Each ends when its reader goes or the program stops serving. */
export function streamSlots(app: FastifyInstance): BeginStream {
  const open = new Map<AbortController, string | undefined>()
  app.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.abort()
  })
  return (request, reply) => {
    if (request.raw.socket.destroyed) throw new AppError('unavailable', 'the reader has gone')
    const organizationId = request.ctx?.organizationId
    if ([...open.values()].filter((owner) => owner === organizationId).length >= limits.organization) {
      throw new AppError('rate_limited', `this organization has ${limits.organization} open streams already`, { retryAfterSeconds: 10 })
    }
    if (open.size >= limits.program) throw new AppError('unavailable', 'there is no room for another stream')
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

/**
 * Sends records, each `cut` to its schema, as server-sent events, and null as a comment: no faster than they are
 * read, and as long as the reader is `admitted`.
 */
export function sendStream(
  reply: FastifyReply,
  records: AsyncIterable<unknown>,
  cut: (record: unknown) => unknown,
  admitted: () => Promise<boolean>,
): FastifyReply {
  reply.raw.setTimeout(stuckMs, () => reply.raw.destroy())
  return reply
    .type('text/event-stream; charset=utf-8')
    .headers({ 'X-Accel-Buffering': 'no', Connection: 'close' })
    .send(Readable.from(asText(records, cut, admitted), { highWaterMark: 1 }))
}

async function* asText(
  records: AsyncIterable<unknown>,
  cut: (record: unknown) => unknown,
  admitted: () => Promise<boolean>,
): AsyncGenerator<string> {
  for await (const record of records) {
    if (!(await admitted())) return
    yield record === null ? ':\n\n' : frame(cut(record))
  }
}

/** What a route streams has an id and a type. */
function frame(record: unknown): string {
  const { id, type } = record as { id: string; type: string }
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(record)}\n\n`
}
