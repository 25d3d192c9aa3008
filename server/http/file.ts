import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { FileResponse } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { matchesIfNoneMatch } from './etag.ts'

/** Closes a connection after this time without progress. */
export const stallTimeoutMs = 60_000

/**
 * Sends a file as an attachment, so that a browser never renders or runs it.
 * @throws AppError `range_not_satisfiable`, or any error of opening the file
 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileResponse): Promise<FastifyReply> {
  const { headers } = request
  if (matchesIfNoneMatch(headers['if-none-match'] ?? '', file.etag)) return reply.code(304).header('ETag', file.etag).send()
  const ifRange = headers['if-range']
  const range = ifRange === undefined || ifRange === file.etag ? parseRange(headers.range ?? '', file.sizeBytes) : null
  if (range === 'beyond') {
    reply.header('Content-Range', `bytes */${file.sizeBytes}`)
    throw new AppError('range_not_satisfiable', `Range must be within the ${file.sizeBytes} bytes of the file.`, { field: 'Range' })
  }
  const bytes = request.method === 'HEAD' ? Readable.from([]) : await file.open(range)
  reply.raw.setTimeout(stallTimeoutMs, () => reply.raw.destroy())
  return reply
    .code(range === null ? 200 : 206)
    .headers({
      'Content-Type': file.mediaType,
      'Content-Length': String(range === null ? file.sizeBytes : range.end - range.start + 1),
      'Content-Disposition': contentDisposition(file.name),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Accept-Ranges': 'bytes',
      ETag: file.etag,
      ...(range !== null && { 'Content-Range': `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
    })
    .send(bytes)
}

/**
 * Parses a single byte range (RFC 9110, section 14). Returns null for anything else, such as several ranges: the whole file is
 * sent then.
 */
export function parseRange(header: string, sizeBytes: number): { start: number; end: number } | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return null
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  return start > end ? 'beyond' : { start, end }
}

/** Returns a Content-Disposition header (RFC 6266) with the name in UTF-8 (RFC 8187) and an ASCII fallback. */
export function contentDisposition(name: string): string {
  // Path separators and control characters are not safe in file names.
  const safe = name.replace(/[\p{Cc}/\\]/gu, '_')
  const ascii = safe.replace(/[^ -~]|["%]/gu, '_')
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
