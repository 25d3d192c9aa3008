import { Agent } from 'undici'
import { traced } from '../lib/tracing.ts'
import { guardedConnector, pinnedDial, resolveName, type Dial, type Resolve } from './connect.ts'
import type { Cookies } from './cookies.ts'
import { withDeadline } from './deadline.ts'
import { OutboundError } from './error.ts'
import { exchange } from './exchange.ts'
import { openProxy, type OutboundProxy, type ProxyOptions } from './proxy.ts'
import { isRedirect, nextHop, type Hop } from './redirect.ts'
import { allowList, checkTarget, checkUrl, targetOf } from './rules.ts'
import { trustedFetch, type Fetch } from './trusted.ts'

export interface OutboundOptions {
  /** `host` or `host:port` that requests may reach although it is private (FETCH_ALLOW_HOSTS). */
  readonly allowHosts: readonly string[]
  readonly userAgent: string
  readonly connectTimeoutMs?: number
  /** Maximum connections to one origin; 16 by default. */
  readonly connections?: number
  /** Whether `fetch` sends `traceparent`, if requests are traced; `trustedFetch` always does. */
  readonly sendsTraceparent?: boolean
  /** Name resolution, replaced in tests only. */
  readonly resolve?: Resolve
  readonly dial?: Dial
}

/** Redirects that are followed by default. */
export const maxRedirects = 10

export interface OutboundRequest {
  readonly method?: Hop['method']
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Maximum size of the decoded body. */
  readonly maxBytes: number
  /** Beyond `maxBytes`: an error (default), or truncation. Bodies of responses from 400 on are always truncated, at 64 KiB. */
  readonly overflow?: 'error' | 'cut'
  /** Timeout of the whole exchange, including name resolution, redirects and the last byte. */
  readonly timeoutMs: number
  /** Redirects to follow; 0 returns the redirect itself. Default `maxRedirects`. */
  readonly maxRedirects?: number
  /** Cookies to send and to add to; without it, cookies are ignored. */
  readonly cookies?: Cookies
  readonly signal?: AbortSignal
}

export interface OutboundResponse {
  readonly status: number
  /** The URL of the response, after redirects. */
  readonly url: string
  /** Number of redirects that were followed. */
  readonly redirects: number
  readonly headers: Headers
  /** Decompressed. */
  readonly body: Uint8Array
}

export interface Outbound {
  /**
   * Makes a guarded request to a URL that a user entered. Every status is a response; `expectOk` checks it. Of public addresses
   * it reaches ports 80, 443, and those from 1024 without another known service.
   * @throws OutboundError blocked_address, fetch_failed, timeout, too_large; or the reason of `signal`
   */
  fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse>
  /**
   * Checks a URL as `fetch` does, without name resolution.
   * @throws OutboundError blocked_address
   */
  check(url: string | URL): URL
  /**
   * Returns an unguarded standard `fetch` for an endpoint that the operator configured. Other origins are refused, redirects
   * are not followed.
   */
  trustedFetch(endpoint: string | URL): Fetch
  /** Opens a forward proxy on loopback with the same guard, for the requests of a browser. The caller closes it. */
  openProxy(options: ProxyOptions): Promise<OutboundProxy>
  /** Closes open connections; requests in progress fail. */
  close(): Promise<void>
}

/** Creates the only HTTP client for outbound requests. The guard decides at connect time on every hop, see `guardedConnector`. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { resolve = resolveName, connectTimeoutMs = 10_000, connections = 16 } = options
  const dial = options.dial ?? pinnedDial(connectTimeoutMs)
  const allowed = allowList(options.allowHosts)
  const connect = guardedConnector({ allowed, resolve, dial })
  const agent = new Agent({
    connect,
    connections,
    maxHeaderSize: 32 * 1024,
    // `timeoutMs` limits the whole exchange; undici's own timeouts would only shorten some requests.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const trusted = new Agent({ connectTimeout: connectTimeoutMs })

  function check(address: string | URL): URL {
    const url = checkUrl(address)
    const target = targetOf(url)
    if (!allowed(target)) checkTarget(target)
    return url
  }

  async function follow(address: string | URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const most = request.maxRedirects ?? maxRedirects
    const headers = { 'user-agent': options.userAgent, ...lowerCase(request.headers ?? {}) }
    let at: { url: URL; hop: Hop } = {
      url: checkUrl(address),
      hop: { method: request.method ?? 'GET', headers, body: request.body ?? null },
    }
    for (let redirects = 0; ; redirects++) {
      check(at.url)
      const cookie = request.cookies?.header(at.url) ?? null
      const hop = cookie === null ? at.hop : { ...at.hop, headers: { ...at.hop.headers, cookie } }
      const reply = await exchange(agent, at.url, hop, request, signal, most > 0 ? isRedirect : () => false)
      request.cookies?.store(at.url, reply.headers)
      if (most === 0 || !isRedirect(reply.status, reply.headers)) return { ...reply, redirects }
      if (redirects === most) throw new OutboundError('fetch_failed', `${at.url.host} redirects more than ${most} times.`)
      at = nextHop(at.url, at.hop, reply.status, reply.headers.get('location') ?? '')
    }
  }

  /** The span does not name the host: a user entered the URL. */
  function tracedFetch(url: string | URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { method = 'GET' } = request
    return traced({ name: method, kind: 'client', attributes: { 'http.request.method': method } }, async (span) => {
      const isSent = options.sendsTraceparent === true && span.traceparent !== undefined
      const traceparent = isSent ? { traceparent: span.traceparent } : {}
      const response = await follow(url, { ...request, headers: { ...request.headers, ...traceparent } }, signal)
      span.set('http.response.status_code', response.status)
      return response
    })
  }

  return {
    check,
    fetch: (url, request) => withDeadline(request, (signal) => tracedFetch(url, request, signal)),
    trustedFetch: (endpoint) => trustedFetch(trusted, endpoint),
    openProxy: (proxy) => openProxy({ dispatcher: agent, connect, check }, proxy),
    close: async () => {
      await Promise.all([agent.destroy(), trusted.destroy()])
    },
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
