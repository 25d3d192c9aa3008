import type { FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'

/**
 * Whether a browser sent the request from a page of the service's own, as its Origin says: that of the public address, or
 * on loopback the host that was asked, whatever its port. Reading needs no Origin, since other pages cannot see the answer.
 */
export function isFromOwnPage({ method, headers, client }: FastifyRequest, baseUrl: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const { origin, host = '' } = headers
  return (
    origin !== undefined &&
    (origin === new URL(baseUrl).origin || (origin === `${client.scheme ?? 'http'}://${host}` && isLoopback(origin)))
  )
}

/** By name: an address of somebody else's that merely leads here is not. */
const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)

/** @throws AppError `forbidden` for who comes from elsewhere */
export function requireOwnPage(request: FastifyRequest, baseUrl: string): void {
  if (isFromOwnPage(request, baseUrl)) return
  throw new AppError('forbidden', 'with a session only pages of this service may change something: the Origin of the request is another')
}
