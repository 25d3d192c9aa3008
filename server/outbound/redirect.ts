import { checkUrl } from './rules.ts'

/** Method, headers and body of one request in a redirect chain. Header names are lower case. */
export interface Hop {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

const redirectStatus = new Set([301, 302, 303, 307, 308])
// Other headers may contain a secret for the first origin (Authorization, Cookie, X-API-Key, a signature).
const sentToOtherOrigins = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

export function isRedirect(status: number, headers: Headers): boolean {
  return redirectStatus.has(status) && headers.has('location')
}

/**
 * Returns the next URL and request. The method changes as in browsers (RFC 9110 §15.4): 303 becomes GET (except HEAD), and POST becomes GET
 * on 301 and 302; the body and the `content-*` headers are dropped then. To another origin, only the headers in `sentToOtherOrigins` are
 * sent. Does not check the host.
 * @throws OutboundError `blocked_address` if the URL is invalid, is not http(s), or has credentials
 */
export function nextHop(from: URL, hop: Hop, status: number, location: string): { url: URL; hop: Hop } {
  const url = checkUrl(URL.canParse(location, from.href) ? new URL(location, from) : location)
  const becomesGet = (status === 303 && hop.method !== 'HEAD') || (status < 303 && hop.method === 'POST')
  const kept = Object.entries(hop.headers).filter(
    ([name]) => (url.origin === from.origin || sentToOtherOrigins.has(name)) && !(becomesGet && name.startsWith('content-')),
  )
  return {
    url,
    hop: { method: becomesGet ? 'GET' : hop.method, headers: Object.fromEntries(kept), body: becomesGet ? null : hop.body },
  }
}
