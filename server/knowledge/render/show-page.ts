import type { Browser, Page, Route } from 'playwright-core'
import { startUndisturbedDeadline } from '../../lib/undisturbed-deadline.ts'
import type { ShownPage, ShowRequest } from './messages.ts'

/** Requests of one page; further ones are refused. */
const maxRequests = 300
const maxReloads = 2
const blocked = new Set(['image', 'media', 'font', 'manifest', 'texttrack', 'ping', 'cspviolationreport', 'eventsource'])

/**
 * Renders a fetched page: runs its scripts until nothing more is loaded, and returns the resulting HTML. Each page has a
 * browser context of its own, without service workers and downloads, so nothing remains for the next.
 */
export async function showPage(browser: Browser, userAgent: string, request: ShowRequest): Promise<ShownPage> {
  const context = await browser.newContext({
    userAgent: `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${userAgent}) Chrome/${browser.version()} Safari/537.36`,
    proxy: { server: `http://127.0.0.1:${request.proxyPort}` },
    serviceWorkers: 'block',
    acceptDownloads: false,
    viewport: { width: 1280, height: 4_000 },
  })
  try {
    const page = await context.newPage()
    const moves: string[] = []
    await guardRoutes(page, request, moves)
    // Other requests belong to a window that the page opened.
    await context.route('**/*', (route) => route.abort())
    // A window that cannot be closed by itself closes with its context.
    context.on('page', (popup) => void popup.close().catch(() => undefined))
    await settled(page, request)
    return { html: await page.content(), movedTo: moves[0] ?? null }
  } finally {
    await context.close()
  }
}

/** Resolves when the page loads nothing more. A page that never settles is used as it is after `settleMs`. */
async function settled(page: Page, { url, settleMs }: ShowRequest): Promise<void> {
  let endDeadline = (): void => undefined
  const late = new Promise<void>((expired) => (endDeadline = startUndisturbedDeadline(process.pid, settleMs, expired)))
  const idle = page.goto(url, { waitUntil: 'networkidle', timeout: 0 })
  try {
    await Promise.race([idle, late])
  } finally {
    endDeadline()
    // After the deadline, closing the page ends the wait with an error.
    idle.catch(() => undefined)
  }
}

/** The page itself is served from the fetched bytes. Of its requests, only those that can produce text reach the proxy. */
async function guardRoutes(page: Page, request: ShowRequest, moves: string[]): Promise<void> {
  let requests = 0
  let loads = 0
  await page.route('**/*', (route) => {
    const asked = route.request()
    if (asked.resourceType() !== 'document') {
      return ++requests > maxRequests || blocked.has(asked.resourceType()) ? route.abort() : route.continue()
    }
    // Frames contain advertisements and text of other sites. An aborted navigation leaves the page in place.
    if (asked.frame() !== page.mainFrame()) return route.abort('aborted')
    if (withoutFragment(asked.url()) !== withoutFragment(request.url)) {
      moves.push(asked.url())
      return route.abort('aborted')
    }
    loads++
    return loads === 1 ? fulfill(route, request) : loads <= 1 + maxReloads ? route.continue() : route.abort('aborted')
  })
}

function fulfill(route: Route, { status, headers, body }: ShowRequest): Promise<void> {
  return route.fulfill({ status, headers, body: Buffer.from(body) })
}

const withoutFragment = (url: string): string => url.replace(/#.*$/, '')
