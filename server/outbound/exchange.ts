import type { Dispatcher } from 'undici'
import { acceptEncoding, readBody, tooLarge } from './body.ts'
import { networkError } from './error.ts'
import type { OutboundRequest, OutboundResponse } from './outbound.ts'
import type { Hop } from './redirect.ts'

const errorBodyBytes = 64 * 1024
const bodiless = new Set([204, 205, 304])

/**
 * Makes one request without following redirects. `skipBody` selects responses whose body is not read.
 * @throws OutboundError fetch_failed, too_large, blocked_address
 */
export async function exchange(
  dispatcher: Dispatcher,
  url: URL,
  hop: Hop,
  limits: Pick<OutboundRequest, 'maxBytes' | 'overflow'>,
  signal: AbortSignal,
  skipBody: (status: number, headers: Headers) => boolean,
): Promise<Omit<OutboundResponse, 'redirects'>> {
  try {
    const reply = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: hop.method,
      headers: { 'accept-encoding': acceptEncoding, accept: '*/*', ...hop.headers },
      body: hop.body,
      signal,
    })
    const status = reply.statusCode
    const headers = headersOf(reply.headers)
    const maxBytes = status >= 400 ? Math.min(limits.maxBytes, errorBodyBytes) : limits.maxBytes
    const cut = limits.overflow === 'cut' || status >= 400
    const tooLong = !cut && hop.method !== 'HEAD' && Number(headers.get('content-length')) > maxBytes
    if (tooLong || skipBody(status, headers)) {
      reply.body.on('error', () => {}).destroy()
      if (tooLong) throw tooLarge(maxBytes)
      return { status, url: url.href, headers, body: new Uint8Array() }
    }
    const encoding = hop.method === 'HEAD' || bodiless.has(status) ? '' : (headers.get('content-encoding') ?? '')
    return { status, url: url.href, headers, body: await readBody(reply.body, encoding, { maxBytes, cut }) }
  } catch (error) {
    throw networkError(url.host, error)
  }
}

function headersOf(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(fields)) for (const line of [value ?? []].flat()) headers.append(name, line)
  return headers
}
