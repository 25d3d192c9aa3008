import type { FastifyRequest } from 'fastify'
import type { Platform } from '../context.ts'
import type { TrustedProxies } from '../lib/trusted-proxies.ts'
import { clientOf } from './client.ts'
import { corsHeaders } from './cors.ts'

/** Returns the headers of every answer to the request, errors included: an error may leave before any hook has run. */
export type AnswerHeaders = (request: Pick<FastifyRequest, 'id' | 'headers' | 'raw'>) => Record<string, string>

const yearSeconds = 31_536_000

export const everyAnswer = (requestId: string): Record<string, string> => ({
  'X-Request-Id': requestId,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
})

export function answerHeaders({ baseUrl, corsOrigins }: Pick<Platform, 'baseUrl' | 'corsOrigins'>, proxies: TrustedProxies): AnswerHeaders {
  const secure = baseUrl.startsWith('https:')
  const cors = corsHeaders(corsOrigins)
  return ({ id, headers, raw }) => ({
    ...everyAnswer(id),
    // RFC 6797, section 7.2: not over plain http. No subdomains, since those are not ours.
    ...(secure && clientOf(raw, proxies).scheme !== 'http' && { 'Strict-Transport-Security': `max-age=${yearSeconds}` }),
    ...cors(headers.origin),
  })
}
