import type { Outbound } from '../../outbound/outbound.ts'
import { jsonIn } from '../../outbound/json-endpoint.ts'
import { OidcRefusal } from './refusal.ts'

export interface Asked {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Asks the identity provider. @throws OidcRefusal `issuer_unavailable` when it gives no answer, or one that it is out of order */
export type Ask = (url: string, asked?: Asked) => Promise<{ readonly status: number; readonly json: unknown }>

const timeoutMs = 10_000
const maxBytes = 1_000_000

/**
 * The operator's word for the issuer holds for its own origin, which may be on a private network. Other origins that its
 * document names are asked through the guard like any address.
 */
export function asker({ fetch, trustedFetch }: Pick<Outbound, 'fetch' | 'trustedFetch'>, issuer: string): Ask {
  const { origin, host } = new URL(issuer)
  const trusted = trustedFetch(issuer)
  const answerOf = async (url: string, { method = 'GET', headers = {}, body }: Asked): Promise<{ status: number; text: string }> => {
    const request = { method, headers: { accept: 'application/json', ...headers }, ...(body !== undefined && { body }) }
    if (new URL(url).origin === origin) {
      const response = await trusted(url, { ...request, signal: AbortSignal.timeout(timeoutMs) })
      return { status: response.status, text: await response.text() }
    }
    const { status, body: bytes } = await fetch(url, { ...request, maxBytes, timeoutMs, maxRedirects: 0 })
    return { status, text: Buffer.from(bytes).toString() }
  }
  return async (url, asked = {}) => {
    const { status, text } = await answerOf(url, asked).catch((cause: unknown) => {
      throw new OidcRefusal('issuer_unavailable', `${host} cannot be reached`, cause)
    })
    if (status >= 500) throw new OidcRefusal('issuer_unavailable', `${host} answered ${status} at ${url}`)
    return { status, json: jsonIn(text) }
  }
}
