import type { FastifyRequest } from 'fastify'
import type { Platform } from '../platform.ts'
import type { TrustedProxies } from '../lib/trusted-proxies.ts'
import { clientOf } from './client.ts'
import { corsHeaders } from './cors.ts'

/** Returns the headers common to all responses, errors included. Errors can be sent before any hook has run. */
export type ResponseHeaders = (request: Pick<FastifyRequest, 'id' | 'headers' | 'raw'>) => Record<string, string>

const yearSeconds = 31_536_000

export const commonHeaders = (requestId: string): Record<string, string> => ({
  'X-Request-Id': requestId,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
})

export function createResponseHeaders(
  { baseUrl, corsOrigins }: Pick<Platform, 'baseUrl' | 'corsOrigins'>,
  proxies: TrustedProxies,
): ResponseHeaders {
  const secure = baseUrl.startsWith('https:')
  const cors = corsHeaders(corsOrigins)
  return ({ id, headers, raw }) => ({
    ...commonHeaders(id),
    // RFC 6797, section 7.2 forbids this header over plain HTTP. Subdomains may belong to other services.
    ...(secure && clientOf(raw, proxies).scheme !== 'http' && { 'Strict-Transport-Security': `max-age=${yearSeconds}` }),
    ...cors(headers.origin),
  })
}
