import { setTimeout as pause } from 'node:timers/promises'
import { SourceError } from '../../lib/errors.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../../outbound/outbound.ts'
import { robotsBytes, robotsOf, type Robots } from './robots.ts'

/** Request slots of hosts, shared by all crawls. */
export interface HostSlots {
  /** Takes the next slot and reserves `gapMs` after it. @returns milliseconds until the slot */
  take(host: string, gapMs: number): Promise<number>
  /** Blocks the slots of a host for this time. */
  rest(host: string, ms: number): Promise<void>
}

export interface HostOptions {
  readonly fetch: Outbound['fetch']
  readonly turns: HostSlots
  readonly signal: AbortSignal
  /** Delay between requests to a host whose robots.txt sets none; longer for a slow host. */
  readonly gapMs?: number
}

/** The hosts of a site, requested according to their robots.txt and response time. */
export interface Hosts {
  /**
   * Returns the robots.txt of an origin. Retries for a while (RFC 9309 §2.3.1.4). @throws SourceError fetch_failed,
   * blocked_address, timeout if it cannot be fetched
   */
  robots(origin: string): Promise<Robots>
  /** Makes one request in its slot, without following redirects. @throws SourceError as `Outbound.fetch` */
  ask(url: URL, request: Pick<OutboundRequest, 'headers' | 'maxBytes' | 'timeoutMs'>): Promise<OutboundResponse>
  /** Pauses requests to a host that asked for it. */
  rest(url: URL, ms: number): Promise<void>
}

/** The product token of this crawler in robots.txt. */
const agent = 'groundwork'
const defaultGapMs = 250
const slowGapMs = 2_000
const robotsTimeoutMs = 15_000
/** Delays before the second and the third attempt. */
const robotsRetriesMs = [1_000, 5_000]

export function createHosts({ fetch, turns, signal, gapMs = defaultGapMs }: HostOptions): Hosts {
  const known = new Map<string, Promise<Robots>>()
  const gaps = new Map<string, number>()

  async function inTurn(url: URL, ownGapMs: number | null, request: OutboundRequest): Promise<OutboundResponse> {
    const wait = await turns.take(url.host, ownGapMs ?? Math.max(gapMs, gaps.get(url.host) ?? 0))
    if (wait > 0) await pause(wait, undefined, { signal })
    const began = performance.now()
    try {
      return await fetch(url, { ...request, signal })
    } finally {
      // A slow host is requested at most as often as it responds.
      gaps.set(url.host, Math.min(performance.now() - began, slowGapMs))
    }
  }

  async function readRobots(origin: string, tries = 0): Promise<Robots> {
    const url = new URL('/robots.txt', origin)
    const waitMs = robotsRetriesMs[tries]
    const reply = await inTurn(url, null, { maxBytes: robotsBytes, overflow: 'cut', timeoutMs: robotsTimeoutMs }).catch(
      (error: unknown) => {
        if (error instanceof SourceError && error.retryable && waitMs !== undefined) return null
        throw error
      },
    )
    const found = reply && robotsOf(reply, agent)
    if (found !== null) return found
    if (waitMs === undefined) throw unreadable(url, reply?.status ?? 0)
    await pause(Math.max(waitMs, retryAfterMs(reply?.headers) ?? 0), undefined, { signal })
    return readRobots(origin, tries + 1)
  }

  function robots(origin: string): Promise<Robots> {
    const found = known.get(origin) ?? readRobots(origin)
    known.set(origin, found)
    // Each caller receives the error; it may settle before the first of them waits for it.
    found.catch(() => undefined)
    return found
  }

  return {
    robots,
    async ask(url, request) {
      const { crawlDelayMs } = await robots(url.origin)
      return inTurn(url, crawlDelayMs, { ...request, maxRedirects: 0 })
    },
    rest: (url, ms) => turns.rest(url.host, ms),
  }
}

function unreadable(url: URL, status: number): SourceError {
  return new SourceError(
    'fetch_failed',
    `${url.href} answers with status ${status}: as long as it cannot be read, nothing of the site may be.`,
    { retryable: true },
  )
}

/** Maximum pause of a crawl: five minutes. */
const maxPauseMs = 300_000

/** Parses `Retry-After`, seconds or a date, as milliseconds from now; null if absent. */
export function retryAfterMs(headers: Headers | undefined): number | null {
  const value = headers?.get('retry-after')?.trim()
  if (!value) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), maxPauseMs)
}
