import type { FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'

/**
 * Returns whether the request comes from a page of this service by its Origin: the origin of the public URL, or on loopback the
 * requested host with any port. GET and HEAD need no Origin, since other sites cannot read the response.
 */
export function isSameOrigin({ method, headers, client }: FastifyRequest, baseUrl: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const { origin, host = '' } = headers
  return (
    origin !== undefined &&
    (origin === new URL(baseUrl).origin || (origin === `${client.scheme ?? 'http'}://${host}` && isLoopback(origin)))
  )
}

/** Compares host names: another name that resolves to loopback (DNS rebinding) does not count. */
const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)

/**
 * Refuses forms that pages of other sites send. Pages without a referrer send `Origin: null`, so Sec-Fetch-Site decides; browsers
 * send it to all HTTPS URLs.
 * @throws AppError `forbidden`
 */
export function requireSameSite(request: FastifyRequest, baseUrl: string): void {
  const { origin = 'null', 'sec-fetch-site': site } = request.headers
  if (site === undefined ? origin === 'null' || isSameOrigin(request, baseUrl) : site === 'same-origin') return
  throw new AppError('forbidden', 'This form was sent by a page of another site.')
}

/** @throws AppError `forbidden` for another Origin */
export function requireSameOrigin(request: FastifyRequest, baseUrl: string): void {
  if (isSameOrigin(request, baseUrl)) return
  throw new AppError(
    'forbidden',
    'Requests that change data with a session must have the Origin of this service. Use an API token instead.',
  )
}
