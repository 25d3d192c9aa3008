import { Agent } from 'undici'
import { guardedConnector, pinnedDial, resolveName, type Dial, type Resolve } from './connect.ts'
import { withDeadline } from './deadline.ts'
import { OutboundError } from './error.ts'
import { exchange } from './exchange.ts'
import { openProxy, type OutboundProxy, type ProxyOptions } from './proxy.ts'
import { isRedirect, nextHop, type Hop } from './redirect.ts'
import { allowList, checkTarget, checkUrl, targetOf } from './rules.ts'
import { trustedFetch, type Fetch } from './trusted.ts'

export interface OutboundOptions {
  /** `host` or `host:port` that requests may reach although they are not public (FETCH_ALLOW_HOSTS). */
  readonly allowHosts: readonly string[]
  readonly userAgent: string
  readonly connectTimeoutMs?: number
  /** Connections to one origin at most; 16 by default. */
  readonly connections?: number
  /** Name resolution and dialling; replaced in tests alone. */
  readonly resolve?: Resolve
  readonly dial?: Dial
}

export interface OutboundRequest {
  readonly method?: Hop['method']
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Upper bound of the decoded body. */
  readonly maxBytes: number
  /** What is beyond `maxBytes`: an error (default), or left off. Bodies of replies from 400 on are always cut, at 64 KiB. */
  readonly overflow?: 'error' | 'cut'
  /** For the whole exchange: name resolution, redirects and the last byte included. */
  readonly timeoutMs: number
  /** Redirects that are followed; 0 gives the redirect itself back. Default 5. */
  readonly maxRedirects?: number
  readonly signal?: AbortSignal
}

export interface OutboundResponse {
  readonly status: number
  /** Where the reply came from, after redirects. */
  readonly url: string
  readonly headers: Headers
  /** Decompressed. */
  readonly body: Uint8Array
}

export interface Outbound {
  /**
   * The guarded request to an address that a user gave. Every status is an answer; `expectOk` tells the good ones.
   * From public addresses it fetches ports 80, 443, and those from 1024 that are not known for another service.
   * @throws OutboundError blocked_address, fetch_failed, timeout, too_large; or the reason of `signal`
   */
  fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse>
  /**
   * What `fetch` would refuse of an address without looking up its name.
   * @throws OutboundError blocked_address
   */
  check(url: string | URL): URL
  /** Standard `fetch`, unguarded, for an endpoint of the operator's own configuration; other origins are refused, redirects never followed. */
  trustedFetch(endpoint: string | URL): Fetch
  /** A forward proxy on loopback, through which a browser's requests pass the same guard. Whoever opens it ends it. */
  openProxy(options: ProxyOptions): Promise<OutboundProxy>
  /** Ends open connections; requests under way fail. */
  close(): Promise<void>
}

/** The one door to the outside. The guard decides at connect time on every hop, see `guardedConnector`. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { resolve = resolveName, connectTimeoutMs = 10_000, connections = 16 } = options
  const dial = options.dial ?? pinnedDial(connectTimeoutMs)
  const allowed = allowList(options.allowHosts)
  const connect = guardedConnector({ allowed, resolve, dial })
  const agent = new Agent({
    connect,
    connections,
    maxHeaderSize: 32 * 1024,
    // `timeoutMs` bounds the whole; undici's own clocks would only cut some requests shorter.
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
    const maxRedirects = request.maxRedirects ?? 5
    const headers = { 'user-agent': options.userAgent, ...lowerCase(request.headers ?? {}) }
    let at: { url: URL; hop: Hop } = {
      url: checkUrl(address),
      hop: { method: request.method ?? 'GET', headers, body: request.body ?? null },
    }
    for (let redirects = 0; ; redirects++) {
      check(at.url)
      const reply = await exchange(agent, at.url, at.hop, request, signal, maxRedirects > 0 ? isRedirect : () => false)
      if (maxRedirects === 0 || !isRedirect(reply.status, reply.headers)) return reply
      if (redirects === maxRedirects) throw new OutboundError('fetch_failed', `${at.url.host} redirects more than ${maxRedirects} times.`)
      at = nextHop(at.url, at.hop, reply.status, reply.headers.get('location') ?? '')
    }
  }

  return {
    check,
    fetch: (url, request) => withDeadline(request, (signal) => follow(url, request, signal)),
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
