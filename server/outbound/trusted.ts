import { fetch, type Dispatcher, type RequestInit as UndiciInit } from 'undici'
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
    return fetch(url, { ...asUndici(init), redirect: init?.redirect === 'manual' ? 'manual' : 'error', dispatcher })
  }
}

/** undici implements the Fetch standard, and Node's types are an older copy of undici's: the types differ in name only. */
function asUndici(init: RequestInit | undefined): UndiciInit {
  return (init ?? {}) as unknown as UndiciInit
}
