import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { contentDisposition, stallTimeoutMs } from './file.ts'

/** Sends rows of CSV as an attachment, as fast as the client reads them. */
export function sendCsv(request: FastifyRequest, reply: FastifyReply, rows: AsyncIterable<string>, name: string): FastifyReply {
  reply.raw.setTimeout(stallTimeoutMs, () => reply.raw.destroy())
  return reply
    .headers({ 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': contentDisposition(name) })
    .send(Readable.from(request.method === 'HEAD' ? [] : rows))
}
