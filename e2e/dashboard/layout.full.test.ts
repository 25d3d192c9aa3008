import { mkdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../program.ts'
import { chromiumPath, dashboard, expectLoaded, expectNoFaults, setColorScheme, violationsOf } from './browser.ts'
import { closedHost, emptyPages, extremeRecords, type ShownPage } from './extreme-data.ts'
import { layoutFaults } from './layout-faults.ts'
import { manyRecords } from './many-records.ts'
import { publicForms } from './public-forms.ts'
import { dialogsOf } from './shown-dialogs.ts'

/** The folder for screenshots of all pages. Unset: no screenshots. */
const screenshots = process.env['LAYOUT_SCREENSHOTS']
/** Names of the pages to show; all by default. */
const chosen = process.env['LAYOUT_PAGES']?.split(',')

const sizes = [
  { width: 360, height: 780 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
]
/** The widths at which axe checks the pages and dialogs with all of its rules. */
const axeWidths = [390, 1440]
const dialogSizes = sizes.filter(({ width }) => width !== 768 && width !== 1920)

describe.skipIf(chromiumPath === undefined)('pages at every width in both themes', () => {
  const at = dashboard(() => ({ FETCH_ALLOW_HOSTS: closedHost }))
  const found: string[] = []
  afterAll(() => {
    if (found.length > 0) console.log(found.join('\n'))
  })

  /** Returns the faults of the pages at each width. In both themes, axe finds no violation. */
  async function faultsOf(pages: readonly ShownPage[], kind: string, page: Page): Promise<string[]> {
    const faults: string[] = []
    for (const { name, path, open, isList = false } of pages.filter((each) => chosen?.includes(each.name) ?? true)) {
      const shown = async (size: (typeof sizes)[number]): Promise<void> => {
        await page.setViewportSize(size)
        await page.goto('about:blank')
        await page.goto(path.startsWith('/') ? `/app${path}` : path)
        await settled(page)
        await open?.(page).catch((error: unknown) => faults.push(`${kind} ${name}: ${String(error)}`))
      }
      if (open === undefined) await shown({ width: 1440, height: 900 })
      for (const size of open === undefined ? sizes : dialogSizes) {
        // A dialog can be that of a button which only one width has.
        if (open === undefined) await page.setViewportSize(size)
        else await shown(size)
        await settled(page)
        const where = `${kind} ${name} ${size.width}`
        faults.push(...(await layoutFaults(page)).map((fault) => `${where}: ${fault}`))
        if (isList && size.width === 1440) {
          const top = await page.evaluate<number>(`document.querySelector('[data-index="0"]')?.getBoundingClientRect().top ?? 0`)
          if (top >= 360) faults.push(`${where}: the first row is at ${top} px`)
        }
        for (const colorScheme of ['dark', 'light'] as const) {
          const isChecked = axeWidths.includes(size.width)
          if (screenshots === undefined && !isChecked) continue
          await setTheme(page, colorScheme)
          if (isChecked) faults.push(...(await axeFaults(page)).map((fault) => `${where} ${colorScheme}: ${fault}`))
          if (screenshots === undefined) continue
          await mkdir(screenshots, { recursive: true })
          await page.screenshot({ path: join(screenshots, `${kind}-${name}-${size.width}-${colorScheme}.png`) })
        }
      }
    }
    found.push(...faults)
    expectNoFaults(page)
    await page.context().close()
    return faults
  }

  test('without records', async () => {
    expect(await faultsOf(emptyPages(at.slug), 'empty', await at.open(`/${at.slug}`))).toEqual([])
  }, 3_600_000)

  test('with long names, other scripts, large amounts and many tags; dialogs and public pages too', async () => {
    const records = await extremeRecords(at)
    const pages = [...emptyPages(at.slug), ...records.pages]
    const faults = await faultsOf(pages, 'extreme', await at.open(`/${at.slug}`))
    faults.push(...(await faultsOf(dialogsOf(pages, at.api), 'dialog', await at.open(`/${at.slug}`))))
    faults.push(...(await faultsOf([...(await publicPages()), ...records.publicPages], 'public', await at.visit('/app/sign-in'))))
    expect(faults).toEqual([])
  }, 3_600_000)

  test('with 10,000 sources in a knowledge base, and 10,000 contacts', async () => {
    expect(await faultsOf(await manyRecords(at), 'many', await at.open(`/${at.slug}`))).toEqual([])
  }, 3_600_000)

  /** Returns the pages that need no session, with links of messages. */
  async function publicPages(): Promise<ShownPage[]> {
    const { pages, fresh } = await publicForms(at, onTestFinished)
    const paths = {
      verify: '/verify',
      docs: '/docs',
      guide: '/docs/webhooks',
      'docs-search': '/docs/search?q=vector',
      reference: '/docs/reference',
    }
    return [
      ...pages,
      { name: 'setup-missing', path: `${fresh.url}/app/` },
      { name: 'invitation-over', path: '/invitation#gone' },
      ...Object.entries(paths).map(([name, path]) => ({ name, path: at.url + path })),
      { name: 'operation', path: `${at.url}/docs/reference#/contacts/contacts.create` },
      { name: 'widget', path: await widgetPage() },
    ]
  }

  /** Serves the widget’s example page, which searches the knowledge base, and returns its URL. */
  async function widgetPage(): Promise<string> {
    const { data: bases } = await at.api.bases.list().page()
    let html = ''
    const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void site.close())
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const baseIds = bases.slice(0, 1).map(({ id }) => id)
    const { token } = await at.api.tokens.create({ name: 'Website', scopes: ['search:read'], baseIds, publishable: { origins: [origin] } })
    const example = await readFile(join(root, 'examples/widget.html'), 'utf8')
    html = example.replace('http://127.0.0.1:3000', at.url).replace(/gwp_x+/, token)
    return origin
  }
})

/** Sets the theme of the dashboard, or of another page, which follows the system. */
async function setTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  if ((await page.locator('html[data-mantine-color-scheme]').count()) > 0) await setColorScheme(page, colorScheme)
  else {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(`Promise.allSettled(document.getAnimations().map(({ finished }) => finished))`)
  }
}

/** Returns violations of axe, of all rules. */
const axeFaults = async (page: Page): Promise<string[]> =>
  (await violationsOf(page)).flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  )

/** Waits until the page has its title and data, and its layout has not changed for some frames. */
async function settled(page: Page): Promise<void> {
  await expectLoaded(page)
  await page.evaluate(`(async () => {
    let before = ''
    for (let frames = 0; frames < 5;) {
      await new Promise((drawn) => requestAnimationFrame(drawn))
      const now = [document.documentElement.scrollHeight, document.querySelectorAll('*').length].join()
      frames = now === before ? frames + 1 : 0
      before = now
    }
  })()`)
}
