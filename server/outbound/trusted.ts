import { fetch, Headers, type Dispatcher, type RequestInit as UndiciInit } from 'undici'
import { traced } from '../lib/tracing.ts'
import { OutboundError } from './error.ts'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * Returns standard `fetch` without guard, limited to the origin that the operator configured. A redirect is an error or, on
 * request, returned; it is never followed.
 */
export function trustedFetch(dispatcher: Dispatcher, endpoint: string | URL): Fetch {
  const { origin } = new URL(endpoint)
  return async (url, init) => {
    const requested = new URL(url).origin
    if (requested !== origin)
      throw new OutboundError('blocked_address', `This client only sends requests to ${origin}, not to ${requested}.`)
    const given = asUndici(init)
    const { method = 'GET' } = given
    const attributes = { 'http.request.method': method, 'server.address': new URL(url).host }
    return traced({ name: method, kind: 'client', attributes }, async (span) => {
      const headers = new Headers(given.headers)
      if (span.traceparent !== undefined) headers.set('traceparent', span.traceparent)
      const response = await fetch(url, { ...given, headers, redirect: given.redirect === 'manual' ? 'manual' : 'error', dispatcher })
      span.set('http.response.status_code', response.status)
      return response
    })
  }
}

/** undici implements the Fetch standard, and Node's types are an older copy of undici's: the types differ in name only. */
function asUndici(init: RequestInit | undefined): UndiciInit {
  return (init ?? {}) as unknown as UndiciInit
}
