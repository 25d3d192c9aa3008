import type { FastifyReply, FastifyRequest } from 'fastify'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { etagOf, matchesIfNoneMatch } from './etag.ts'

const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
export const compress: Record<Encoding, (text: string) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, brotliOptions),
  gzip: (text) => promisify(gzip)(text),
}

/**
 * Returns a handler for a constant text. It compresses as the request prefers, sets an ETag for each encoding, and answers 304
 * if the client has the current version. The text is made, and each encoding is compressed, once: at the first request for it.
 */
export function precompressed(
  textOf: () => string,
  type: string,
  cacheControl = 'no-cache',
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const compressed = new Map<Encoding, Promise<Buffer>>()
  let made: { text: string; tag: string } | undefined
  const make = (): { text: string; tag: string } => {
    const text = textOf()
    return { text, tag: etagOf(text) }
  }
  return async (request, reply) => {
    const { text, tag } = (made ??= make())
    const encoding = preferredEncoding(request.headers['accept-encoding'] ?? '')
    const etag = encoding === undefined ? tag : tag.replace(/"$/, `-${encoding}"`)
    reply.headers({ ETag: etag, Vary: 'Accept-Encoding', 'Cache-Control': cacheControl })
    if (matchesIfNoneMatch(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
    reply.type(type)
    if (encoding === undefined) return reply.send(text)
    const body = compressed.get(encoding) ?? compress[encoding](text)
    compressed.set(encoding, body)
    return reply.header('Content-Encoding', encoding).send(await body)
  }
}

/** Returns the preferred one of these encodings by an Accept-Encoding header (RFC 9110, section 12.5.3); undefined if there is none. */
export function preferredEncoding(header: string, supported: readonly Encoding[] = encodings): Encoding | undefined {
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, q === undefined ? 1 : Number(q) || 0]
    }),
  )
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0
  return supported.filter((encoding) => weightOf(encoding) > 0).toSorted((a, b) => weightOf(b) - weightOf(a))[0]
}
