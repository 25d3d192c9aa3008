import type { FastifyReply, FastifyRequest } from 'fastify'
import { compress, preferredEncoding } from './precompressed.ts'

/** Shorter texts fit into a few packets. */
const minLength = 4_000

/**
 * Sends a text, to browsers compressed: a page of a list with a hundred records is a tenth of its size then. Programs are often in
 * the same network, where compression takes longer than it saves.
 */
export async function sendText(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  const { authorization, 'accept-encoding': accepted = '' } = request.headers
  if (text.length < minLength || authorization !== undefined) return reply.send(text)
  const vary = reply.getHeader('Vary')
  reply.header('Vary', [...(typeof vary === 'string' ? [vary] : []), 'Accept-Encoding'].join(', '))
  if (preferredEncoding(accepted, ['gzip']) === undefined) return reply.send(text)
  return reply.header('Content-Encoding', 'gzip').send(await compress.gzip(text))
}
