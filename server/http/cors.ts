import type { FastifyInstance } from 'fastify'

/** Response headers exposed to scripts, in addition to the CORS-safelisted ones. */
const exposedHeaders = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-Next-Cursor',
  'X-Request-Id',
  'X-Total-Count',
].join(', ')

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Chromium caches preflights for at most this long. */
const preflightSeconds = 7_200
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

/**
 * Returns the CORS headers of a response to a request with this Origin. Pages of the listed origins can read responses and send
 * API tokens. Credentials are never allowed, so other sites cannot use a user's session.
 */
export function corsHeaders(origins: readonly string[]): (origin: string | undefined) => Record<string, string> {
  const allowed = new Set(origins)
  if (allowed.size === 0) return () => ({})
  return (origin) =>
    origin === undefined || !allowed.has(origin)
      ? { Vary: 'Origin' }
      : { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders }
}

/**
 * Answers preflights of the listed origins for every path; unsupported methods are refused when they are used. Adds `Origin` to
 * the `Vary` header of every response.
 */
export function serveCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    const { origin = '', 'access-control-request-method': method, 'access-control-request-headers': wanted = '' } = request.headers
    if (request.method !== 'OPTIONS' || method === undefined || !origins.includes(origin)) return undefined
    return reply
      .code(204)
      .headers({
        Vary: 'Origin, Access-Control-Request-Headers',
        'Access-Control-Allow-Methods': methods,
        ...(headerNames.test(wanted) && { 'Access-Control-Allow-Headers': wanted }),
        'Access-Control-Max-Age': String(preflightSeconds),
      })
      .send()
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    const vary = [reply.getHeader('vary') ?? []].flat().join(', ')
    if (!/\borigin\b/i.test(vary)) reply.header('Vary', vary === '' ? 'Origin' : `Origin, ${vary}`)
    return payload
  })
}
