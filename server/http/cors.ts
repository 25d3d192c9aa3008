import type { FastifyInstance } from 'fastify'

/** Headers of answers that a client reads, beside those that every script may read. */
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
/** The longest that Chromium keeps a preflight. */
const preflightSeconds = 7_200
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

/**
 * Returns the CORS headers of an answer, given the Origin of its request. Pages of the listed origins may read answers and
 * present API tokens. Credentials are never allowed, so no session of a user is used by a foreign page.
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
 * Answers the preflights of listed origins for every path; a method that the path does not have is refused when it is used.
 * Names `Origin` in the `Vary` of every answer, beside what its route puts there.
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
