import { SourceError } from '../../lib/errors.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { startBrowserProcess, type BrowserProcess } from './browser-process.ts'
import type { ShownPage } from './messages.ts'

export interface RendererOptions {
  /** Of a Chromium. */
  readonly executablePath: string
  readonly userAgent: string
  /** Every request of a page goes through its proxy. */
  readonly outbound: Pick<Outbound, 'openProxy'>
  readonly log: { warn(fields: object, message: string): void; debug(fields: object, message: string): void }
  /** Browsers, and so pages at a time. Default 2; one takes about 300 MB while it shows a page. */
  readonly browsers?: number
  /** For one page. Default 15 seconds. */
  readonly timeoutMs?: number
  /** For a page to come to rest, of that time. Default 8 seconds. */
  readonly settleMs?: number
  /** Of all that one page loads. Default 30 MB. */
  readonly maxBytes?: number
  /** A browser that has waited so long is ended. Default one minute. */
  readonly idleMs?: number
}

export interface FetchedPage {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

export interface Renderer {
  /**
   * A page that was fetched, as it stands when its scripts have run. Its scripts reach what the guard lets them reach.
   * @throws SourceError timeout, too_large, fetch_failed, or internal when the browser does not start; or the reason of `signal`
   */
  show(page: FetchedPage, signal: AbortSignal): Promise<ShownPage>
  close(): Promise<void>
}

/** Pages that one browser shows before another takes its place: what leaks, leaks no further. */
const mostPages = 100
/** Until a browser that did not start is tried again. */
const restMs = 60_000

interface Slot {
  browser: BrowserProcess | null
  idle: NodeJS.Timeout | null
}

export function createRenderer(options: RendererOptions): Renderer {
  const { executablePath, userAgent, outbound, log, browsers = 2, timeoutMs = 15_000, settleMs = 8_000 } = options
  const { maxBytes = 30_000_000, idleMs = 60_000 } = options
  const sandbox = process.getuid?.() !== 0
  const free: Slot[] = Array.from({ length: browsers }, () => ({ browser: null, idle: null }))
  const slots = [...free]
  const waiting: ((slot: Slot) => void)[] = []
  const ending = new Set<Promise<void>>()
  let broken: { reason: SourceError; until: number } | null = null
  let closed = false

  async function show(page: FetchedPage, signal: AbortSignal): Promise<ShownPage> {
    signal.throwIfAborted()
    const slot = free.pop() ?? (await new Promise<Slot>((taken) => void waiting.push(taken)))
    try {
      signal.throwIfAborted()
      return await showIn(slot, page, signal)
    } finally {
      giveBack(slot)
    }
  }

  async function showIn(slot: Slot, page: FetchedPage, signal: AbortSignal): Promise<ShownPage> {
    if (closed) throw new Error('The renderer is closed.')
    if (broken !== null && performance.now() < broken.until) throw broken.reason
    const proxy = await outbound.openProxy({ maxBytes })
    const browser = browserOf(slot)
    const { url, status, body } = page
    try {
      const shown = await browser.show({ url, status, headers: headersOf(page), body, proxyPort: proxy.port, settleMs }, timeoutMs, signal)
      if (!proxy.full) return shown
      throw new SourceError('too_large', `The page loads more than ${maxBytes / 1_000_000} MB.`)
    } catch (error) {
      if (signal.aborted || !(error instanceof SourceError)) throw error
      log.warn({ err: error, url }, 'a browser did not show a page')
      if (error.code === 'internal') broken = { reason: error, until: performance.now() + restMs }
      throw error
    } finally {
      await proxy.close()
    }
  }

  function browserOf(slot: Slot): BrowserProcess {
    if (slot.idle) clearTimeout(slot.idle)
    slot.idle = null
    if (slot.browser?.alive() !== true) drop(slot)
    slot.browser ??= startBrowserProcess({ executablePath, userAgent, sandbox }, (event) => log.debug(event, 'browser process'))
    return slot.browser
  }

  function giveBack(slot: Slot): void {
    if (closed || (slot.browser?.pages ?? 0) >= mostPages) drop(slot)
    else if (slot.browser) slot.idle = setTimeout(() => drop(slot), idleMs).unref()
    const next = waiting.shift()
    if (next) next(slot)
    else free.push(slot)
  }

  function drop(slot: Slot): void {
    if (slot.idle) clearTimeout(slot.idle)
    slot.idle = null
    if (slot.browser === null) return
    const end = slot.browser.end().finally(() => void ending.delete(end))
    ending.add(end)
    slot.browser = null
  }

  return {
    show,
    close: async () => {
      closed = true
      for (const slot of slots) drop(slot)
      await Promise.allSettled(ending)
    },
  }
}

/** The body comes decoded and whole. */
const ofTheWire = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])

function headersOf({ headers }: FetchedPage): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !ofTheWire.has(name)))
}
