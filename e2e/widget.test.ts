import { Groundwork } from '@groundwork/sdk'
import { source as axeSource, type AxeResults } from 'axe-core'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startChromium } from './chromium.ts'
import { signedIn } from './dashboard/signed-in.ts'
import { program, root } from './program.ts'

/** The folder for screenshots. Unset: no screenshots. */
const screenshots = process.env['PAGE_SCREENSHOTS']

let api: Groundwork
let browser: Browser
let groundwork: string
let slug: string
let baseId: string
let html: string
let site: { origin: string; close: () => Promise<void> }
let otherSite: typeof site
let enter: Awaited<ReturnType<typeof signedIn>>['enter']
const cleanups: (() => Promise<void>)[] = []

beforeAll(async () => {
  if (chromiumPath === undefined) return
  const server = await program((end) => void cleanups.push(end))
  await server.start()
  groundwork = server.url
  ;({ api, slug, enter } = await signedIn(server))
  baseId = (await api.bases.create({ name: 'Harbour Cycles' })).id
  const text = await readFile(join(root, 'examples/faq.md'))
  const { storageUrl } = await api.uploads.create(new Uint8Array(text), { name: 'faq.md', type: 'text/markdown' })
  const { id } = await api.bases.sources.create(baseId, { type: 'file', name: 'Frequently asked questions', storageUrl })
  await api.bases.sources.waitUntilProcessed(baseId, id)
  site = await serveSite()
  otherSite = await serveSite()
  browser = await startChromium()
  cleanups.push(() => browser.close())
})
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

/** Serves the page `html` on an origin of its own. */
async function serveSite(): Promise<typeof site> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const close = (): Promise<void> => new Promise((closed) => server.close(() => closed()))
  cleanups.push(close)
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

async function visit(origin: string, viewport = { width: 1280, height: 900 }, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await page.goto(origin)
  return page
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `widget-${name}.png`) })
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)')
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html: where }) => where)])).toEqual([])
}

const pageWith = (script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
  `<title>Harbour Cycles</title></head><body><main><h1>Harbour Cycles</h1><div id="search"></div></main>${script}</body></html>`

describe.skipIf(chromiumPath === undefined)('the search widget', () => {
  it('is created on the page Connect, pasted into a website, and used with the keyboard', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } })
    context.setDefaultTimeout(60_000)
    await enter(context)
    const dashboard = await context.newPage()
    await dashboard.goto(`${groundwork}/app/${slug}/knowledge/${baseId}/connect`)
    await dashboard.getByLabel('Website address').fill('not a site')
    await dashboard.getByRole('button', { name: 'Create search widget' }).click()
    await dashboard.getByText('Enter a website address, such as www.example.com.').waitFor()
    await dashboard.getByLabel('Website address').fill(`${site.origin}/contact`)
    await dashboard.getByRole('button', { name: 'Create search widget' }).click()
    const snippet = await dashboard.getByRole('region', { name: 'Search widget' }).textContent()
    if (screenshots !== undefined) await dashboard.screenshot({ path: join(screenshots, 'widget-connect.png'), fullPage: true })

    html = pageWith(snippet ?? '')
    for (const [name, viewport, colors] of [
      ['desktop', { width: 1280, height: 900 }, 'light'],
      ['phone', { width: 360, height: 740 }, 'dark'],
    ] as const) {
      const page = await visit(site.origin, viewport, colors)
      await page.getByRole('button', { name: 'Ask us' }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Ask us' }).waitFor()
      await page.keyboard.type('Are there vouchers?')
      await page.keyboard.press('Enter')
      await page.getByRole('status').filter({ hasText: 'Results: ' }).waitFor()
      expect(await page.getByRole('listitem').first().textContent()).toContain('Vouchers of £20, £50 and £100 are sold')
      await expectAccessible(page, name)
      await page.getByRole('searchbox').fill('Who invented the telescope?')
      await page.keyboard.press('Enter')
      await page.getByText('No definite answer was found.').waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(0)
    }
  })

  it('works inside a page of the example, and finds nothing on pages of other origins', async () => {
    const { token } = await api.tokens.create({
      name: 'Website',
      scopes: ['search:read'],
      baseIds: [baseId],
      publishable: { origins: [site.origin] },
    })
    const example = await readFile(join(root, 'examples/widget.html'), 'utf8')
    html = example.replace('http://127.0.0.1:3000', groundwork).replace('gwp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', token)
    const page = await visit(site.origin)
    await page.getByRole('searchbox', { name: 'Ask a question' }).fill('Are there vouchers?')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('Results: ').waitFor()
    await expectAccessible(page, 'inline')

    const foreign = await visit(otherSite.origin)
    await foreign.getByRole('searchbox', { name: 'Ask a question' }).fill('Are there vouchers?')
    await foreign.getByRole('button', { name: 'Search' }).click()
    await foreign.getByText('Search is unavailable. Try again.').waitFor()
    expect(await foreign.getByRole('listitem').count()).toBe(0)
    const direct = await fetch(`${groundwork}/v1/bases/${baseId}/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'children' }),
    })
    expect(direct.status).toBe(403)
  })
})
