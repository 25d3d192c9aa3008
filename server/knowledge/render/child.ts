import { rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { Browser } from 'playwright-core'
import { startBrowser } from './browser.ts'
import type { BrowserOptions, ShowReply, ShowRequest } from './messages.ts'
import { showPage } from './show-page.ts'

// Runs browsers at a lower priority than API requests; the browser inherits it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// Ends the browser with all its processes and removes its profile.
process.on('disconnect', () => process.exit())
process.once('message', (options: BrowserOptions) => void serve(options))

async function serve(options: BrowserOptions): Promise<void> {
  const browser = await startBrowser(options).catch((error: unknown) => {
    send({ type: 'failure', message: String(error) })
    process.exit(1)
  })
  // Runs after the browser's own exit handler, which is registered before.
  process.once('exit', () => rmSync(options.folder, { recursive: true, force: true, maxRetries: 5 }))
  browser.once('disconnected', () => process.exit(1))
  process.on('message', (request: ShowRequest) => void answer(browser, options, request))
  send({ type: 'ready' })
}

async function answer(browser: Browser, { userAgent }: BrowserOptions, request: ShowRequest): Promise<void> {
  try {
    send({ type: 'shown', page: await showPage(browser, userAgent, request) })
  } catch (error) {
    send({ type: 'failure', message: String(error) })
  }
}

function send(reply: ShowReply): void {
  process.send?.(reply)
}
