import type { Outbound } from '../../outbound/outbound.ts'
import { parseJson } from '../../outbound/json-endpoint.ts'
import { OidcError } from './oidc-error.ts'

export interface IssuerRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request to the identity provider. Throws OidcError `issuer_unavailable` if it does not respond or responds with a 5xx status. */
export type IssuerFetch = (url: string, options?: IssuerRequest) => Promise<{ readonly status: number; readonly json: unknown }>

const timeoutMs = 10_000
const maxBytes = 1_000_000

/**
 * Trusts the issuer's own origin, which may be on a private network. Other origins in its discovery document go through the
 * SSRF guard like any URL.
 */
export function createIssuerFetch({ fetch, trustedFetch }: Pick<Outbound, 'fetch' | 'trustedFetch'>, issuer: string): IssuerFetch {
  const { origin, host } = new URL(issuer)
  const trusted = trustedFetch(issuer)
  const send = async (url: string, { method = 'GET', headers = {}, body }: IssuerRequest): Promise<{ status: number; text: string }> => {
    const request = { method, headers: { accept: 'application/json', ...headers }, ...(body !== undefined && { body }) }
    if (new URL(url).origin === origin) {
      const response = await trusted(url, { ...request, signal: AbortSignal.timeout(timeoutMs) })
      return { status: response.status, text: await response.text() }
    }
    const { status, body: bytes } = await fetch(url, { ...request, maxBytes, timeoutMs, maxRedirects: 0 })
    return { status, text: Buffer.from(bytes).toString() }
  }
  return async (url, options = {}) => {
    const { status, text } = await send(url, options).catch((cause: unknown) => {
      throw new OidcError('issuer_unavailable', `${host} is unreachable`, cause)
    })
    if (status >= 500) throw new OidcError('issuer_unavailable', `${host} answered ${status} at ${url}`)
    return { status, json: parseJson(text) }
  }
}
