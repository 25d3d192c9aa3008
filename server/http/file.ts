import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { SentFile } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { noneMatchNames } from './etag.ts'

/** A connection on which nothing could be sent for so long is given up. */
const stuckMs = 60_000

/**
 * Sends a file as something to keep, never to show: whatever it holds, a browser runs none of it.
 * @throws AppError `range_not_satisfiable`, or what opening the file throws
 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): Promise<FastifyReply> {
  const { headers } = request
  if (noneMatchNames(headers['if-none-match'] ?? '', file.etag)) return reply.code(304).header('ETag', file.etag).send()
  const ifRange = headers['if-range']
  const range = ifRange === undefined || ifRange === file.etag ? rangeOf(headers.range ?? '', file.sizeBytes) : null
  if (range === 'beyond') {
    reply.header('Content-Range', `bytes */${file.sizeBytes}`)
    throw new AppError('range_not_satisfiable', `Range must be within the ${file.sizeBytes} bytes of the file`, { field: 'Range' })
  }
  const bytes = request.method === 'HEAD' ? Readable.from([]) : await file.open(range)
  reply.raw.setTimeout(stuckMs, () => reply.raw.destroy())
  return reply
    .code(range === null ? 200 : 206)
    .headers({
      'Content-Type': file.mediaType,
      'Content-Length': String(range === null ? file.sizeBytes : range.end - range.start + 1),
      'Content-Disposition': attachment(file.name),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Accept-Ranges': 'bytes',
      ETag: file.etag,
      ...(range !== null && { 'Content-Range': `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
    })
    .send(bytes)
}

/** RFC 9110, section 14: a single range of bytes. What is no range of bytes, or are several, is answered by the whole. */
export function rangeOf(header: string, sizeBytes: number): { start: number; end: number } | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return null
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  return start > end ? 'beyond' : { start, end }
}

/** Content-Disposition by RFC 6266: the name as UTF-8 (RFC 8187), before it as ASCII for who does not read that. */
export function attachment(name: string): string {
  // Separators and control characters have no place in a name that a browser saves under.
  const safe = name.replace(/[\p{Cc}/\\]/gu, '_')
  const ascii = safe.replace(/[^ -~]|["%]/gu, '_')
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
