import { setTimeout as pause } from 'node:timers/promises'
import { SourceError } from '../../lib/errors.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../../outbound/outbound.ts'
import { robotsBytes, robotsOf, type Robots } from './robots.ts'

/** Turns at asking a host, shared by everybody who asks it. */
export interface Turns {
  /** Takes the next turn and leaves `gapMs` behind it to whoever comes next. @returns milliseconds until the turn */
  take(host: string, gapMs: number): Promise<number>
  /** Gives nobody a turn before so much time has passed. */
  rest(host: string, ms: number): Promise<void>
}

export interface HostOptions {
  readonly fetch: Outbound['fetch']
  readonly turns: Turns
  readonly signal: AbortSignal
  /** Between requests to a host whose robots.txt does not say; more for a slow host. */
  readonly gapMs?: number
}

/** The hosts of a site, asked as they wish: by their robots.txt, and at their pace. */
export interface Hosts {
  /** RFC 9309 §2.3.1.4: asked for again, for a while. @throws SourceError fetch_failed, blocked_address, timeout when it cannot be had */
  robots(origin: string): Promise<Robots>
  /** One request in its turn, redirects not followed. @throws SourceError as `Outbound.fetch` */
  ask(url: URL, request: Pick<OutboundRequest, 'headers' | 'maxBytes' | 'timeoutMs'>): Promise<OutboundResponse>
  /** The host has asked to be left alone for so long. */
  rest(url: URL, ms: number): Promise<void>
}

/** The name by which robots.txt can address this crawler. */
const agent = 'groundwork'
const defaultGapMs = 250
const slowGapMs = 2_000
const robotsTimeoutMs = 15_000
/** Waits before the second and the third try. */
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
      // A host that takes long over an answer is asked as seldom as it answers.
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

/** At most what a crawl can wait for: five minutes. */
const longestRestMs = 300_000

/** Seconds or a date, as milliseconds from now; null where there is neither. */
export function retryAfterMs(headers: Headers | undefined): number | null {
  const value = headers?.get('retry-after')?.trim()
  if (!value) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), longestRestMs)
}
