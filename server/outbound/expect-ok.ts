import { OutboundError } from './error.ts'
import type { OutboundResponse } from './outbound.ts'

/**
 * Returns the response if its status is 200 to 299.
 * @throws OutboundError not_found for 404 and 410; fetch_failed for others, retryable if temporary
 */
export function expectOk<Response extends Pick<OutboundResponse, 'status' | 'url'>>(response: Response): Response {
  const { status, url } = response
  if (status >= 200 && status < 300) return response
  const { host } = new URL(url)
  if (status === 404 || status === 410) throw new OutboundError('not_found', `${host} has no such page (${status}).`)
  const retryable = status >= 500 || status === 408 || status === 425 || status === 429
  throw new OutboundError('fetch_failed', `${host} answered with status ${status}.`, { retryable })
}
