import type { Browser, Page, Route } from 'playwright-core'
import type { ShownPage, ShowRequest } from './messages.ts'

/** Requests of one page; a page that wants more is shown without them. */
const mostRequests = 300
const mostReloads = 2
const blocked = new Set(['image', 'media', 'font', 'manifest', 'texttrack', 'ping', 'cspviolationreport', 'eventsource'])

/**
 * Shows a page that was fetched, lets its scripts run until nothing more is loaded, and takes what stands there then.
 * Nothing of one page is left for the next: each has a context of its own, without service workers and downloads.
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
    // What is not this page's is a window that it has opened.
    await context.route('**/*', (route) => route.abort())
    context.on('page', (popup) => void popup.close().catch(() => undefined))
    await page.goto(request.url, { waitUntil: 'networkidle', timeout: request.settleMs }).catch((error: unknown) => {
      // A page that never rests is taken as it is.
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
    })
    return { html: await page.content(), movedTo: moves[0] ?? null }
  } finally {
    await context.close()
  }
}

/** The page itself comes from what was fetched; of what it asks for, only what can make text is let through to the proxy. */
async function guardRoutes(page: Page, request: ShowRequest, moves: string[]): Promise<void> {
  let requests = 0
  let loads = 0
  await page.route('**/*', (route) => {
    const asked = route.request()
    if (asked.resourceType() !== 'document') {
      return ++requests > mostRequests || blocked.has(asked.resourceType()) ? route.abort() : route.continue()
    }
    // Frames hold advertisements, and other sites' text. An aborted navigation leaves the page where it is.
    if (asked.frame() !== page.mainFrame()) return route.abort('aborted')
    if (withoutFragment(asked.url()) !== withoutFragment(request.url)) {
      moves.push(asked.url())
      return route.abort('aborted')
    }
    loads++
    return loads === 1 ? fulfill(route, request) : loads <= 1 + mostReloads ? route.continue() : route.abort('aborted')
  })
}

function fulfill(route: Route, { status, headers, body }: ShowRequest): Promise<void> {
  return route.fulfill({ status, headers, body: Buffer.from(body) })
}

const withoutFragment = (url: string): string => url.replace(/#.*$/, '')
