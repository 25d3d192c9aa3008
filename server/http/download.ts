import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { Download } from '../handlers.ts'
import { contentDisposition, stallTimeoutMs } from './file.ts'

/** Sends rows of CSV as an attachment, as fast as the client reads them. */
export const sendCsv = (request: FastifyRequest, reply: FastifyReply, rows: AsyncIterable<string>, name: string): FastifyReply =>
  sendDownload(request, reply, { name, mediaType: 'text/csv; charset=utf-8', bytes: rows })

/** Sends a file as an attachment while it is made, as fast as the client reads it. */
export function sendDownload(request: FastifyRequest, reply: FastifyReply, { name, mediaType, bytes }: Download): FastifyReply {
  reply.raw.setTimeout(stallTimeoutMs, () => reply.raw.destroy())
  return reply
    .headers({ 'Content-Type': mediaType, 'Content-Disposition': contentDisposition(name) })
    .send(Readable.from(request.method === 'HEAD' ? [] : bytes, { objectMode: false }))
}
