import { SourceError } from '../../lib/errors.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { startBrowserProcess, type BrowserProcess } from './browser-process.ts'
import type { ShownPage } from './messages.ts'

export interface RendererOptions {
  /** Path of Chromium. */
  readonly executablePath: string
  readonly userAgent: string
  /** Its proxy serves every request of a page. */
  readonly outbound: Pick<Outbound, 'openProxy'>
  readonly log: { warn(fields: object, message: string): void; debug(fields: object, message: string): void }
  /** Number of browsers, and so of concurrent pages. Default 2; each takes about 300 MB while it shows a page. */
  readonly browsers?: number
  /** Timeout of a page. Default 15 seconds. */
  readonly timeoutMs?: number
  /** Time for a page to settle, within the timeout. Default 8 seconds. */
  readonly settleMs?: number
  /** Maximum bytes that one page loads. Default 30 MB. */
  readonly maxBytes?: number
  /** Idle time after which a browser is ended. Default one minute. */
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
   * Renders a fetched page after its scripts have run. The scripts reach only URLs that the outbound guard permits.
   * @throws SourceError timeout, too_large, fetch_failed, or internal if the browser does not start; or the reason of `signal`
   */
  show(page: FetchedPage, signal: AbortSignal): Promise<ShownPage>
  close(): Promise<void>
}

/** Pages after which a browser is replaced, which limits leaks. */
const maxPages = 100
/** Delay before a browser that failed to start is tried again. */
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
  const limited = createSemaphore(browsers)
  const ending = new Set<Promise<void>>()
  let broken: { reason: SourceError; until: number } | null = null
  let closed = false

  async function show(page: FetchedPage, signal: AbortSignal): Promise<ShownPage> {
    signal.throwIfAborted()
    return limited(async () => {
      signal.throwIfAborted()
      const slot = free.pop()
      if (slot === undefined) throw new Error('The semaphore has as many places as there are slots.')
      try {
        return await showIn(slot, page, signal)
      } finally {
        giveBack(slot)
      }
    })
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
    if (closed || (slot.browser?.pages ?? 0) >= maxPages) drop(slot)
    else if (slot.browser) slot.idle = setTimeout(() => drop(slot), idleMs).unref()
    free.push(slot)
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

/** Headers that do not apply to the decoded body. */
const transferHeaders = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])

function headersOf({ headers }: FetchedPage): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !transferHeaders.has(name)))
}
