import { AxeBuilder } from '@axe-core/playwright'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { chromiumPath } from '../chromium.ts'
import { program, type Program } from '../program.ts'
import { signedIn, type SignedIn } from './signed-in.ts'

export { chromiumPath }

/** Where screenshots are written; none are made without it. */
const screenshots = process.env['DASHBOARD_SCREENSHOTS']

/** For what a page has to show. */
const patienceMs = 15_000

const widths = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }

export interface Dashboard extends SignedIn {
  program: Program
  browser: Browser
  /** A page of the dashboard in a browser of the owner's; what goes wrong in it fails the test that ends with `expectNoFaults`. */
  open: (path: string, options?: { width?: keyof typeof widths }) => Promise<Page>
  /** The same in a browser of nobody who is signed in, also of another program. */
  visit: (address: string) => Promise<Page>
}

/**
 * The built program on a fresh data folder with an owner who is signed in, and a browser; both end with the test file.
 * @param settings environment variables of the program, asked for when it starts
 */
export function dashboard(settings: () => Record<string, string> = () => ({})): Dashboard {
  const made = {} as Dashboard
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const started = await program((end) => void ends.push(end), settings())
    await started.start()
    const owner = await signedIn(started)
    const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: flags })
    ends.push(() => browser.close())
    Object.assign(made, owner, { program: started, browser, open: opener(browser, owner), visit: visitor(browser, owner.url) })
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return made
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const opener =
  (browser: Browser, owner: SignedIn): Dashboard['open'] =>
  async (path, { width = 'desktop' } = {}) => {
    const context = await newContext(browser, owner.url, widths[width])
    await owner.enter(context)
    return watchedPage(context, `/app${path}`)
  }

const visitor =
  (browser: Browser, url: string): Dashboard['visit'] =>
  async (address) =>
    watchedPage(await newContext(browser, url), address)

async function newContext(browser: Browser, baseURL: string, viewport = widths.desktop): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', baseURL })
  context.setDefaultTimeout(patienceMs)
  return context
}

async function watchedPage(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  watch(page)
  await page.goto(address)
  return page
}

const faults = new WeakMap<Page, string[]>()

function watch(page: Page): void {
  const found: string[] = []
  faults.set(page, found)
  page.on('pageerror', (error) => found.push(`${error.name}: ${error.message}`))
  page.on('console', (message) => {
    // A refused request is shown by the page itself; what tests refuse on purpose is no fault.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text())
  })
}

/** Nothing was thrown in the page, no rule of React was broken, and its policy refused nothing. */
export const expectNoFaults = (page: Page): void => expect(faults.get(page)).toEqual([])

/** The head of a dialog is a header element, which counts as one of the page although nothing else of the page can be reached. */
const besideDialogs = ['landmark-no-duplicate-banner']

/** No fault of accessibility that a machine can find, in light colours and in dark ones. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await choose(page, colorScheme)
    const { violations } = await new AxeBuilder({ page }).disableRules(besideDialogs).analyze()
    expect(violations.map(({ id, nodes }) => [colorScheme, id, nodes.map(({ html, any }) => [html, any[0]?.message])])).toEqual([])
  }
  await choose(page, 'light')
}

/** Chooses colours, and waits until all of the page has them. */
async function choose(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await page.evaluate(still)
}

/** Over after some frames in which nothing changed: a colour that an element inherits begins its change when the one above ends. */
const still = `(async () => {
  for (let frames = 0; frames < 5; frames += 1) {
    await new Promise((drawn) => requestAnimationFrame(drawn))
    if (document.getAnimations().some(({ playState }) => playState === 'running')) frames = 0
  }
})()`

/** Pictures of the page on a phone and on a desk, light and dark, in the folder that DASHBOARD_SCREENSHOTS names. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (screenshots === undefined) return
  await mkdir(screenshots, { recursive: true })
  const before = page.viewportSize() ?? widths.desktop
  for (const [width, size] of Object.entries(widths)) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await choose(page, colorScheme)
      await page.screenshot({ path: join(screenshots, `${name}-${width}-${colorScheme}.png`) })
    }
  }
  await choose(page, 'light')
  await page.setViewportSize(before)
}

const keysAtMost = 80

/** Goes on with the Tab key until the control has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let pressed = 0; pressed < keysAtMost; pressed += 1) {
    if ((await control.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not lead to ${control.toString()}`)
}

/** Nothing is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = (): Promise<unknown> =>
    page.evaluate(`
      [document.documentElement].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).flatMap(({ clientWidth }) =>
        [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > clientWidth).map((one) => one.outerHTML.slice(0, 200)),
      )
    `)
  // A change of the size is not laid out at once.
  await expect.poll(wide, { timeout: patienceMs }).toEqual([])
}
