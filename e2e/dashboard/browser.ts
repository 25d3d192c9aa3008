import { source as axeSource, type AxeResults, type RunOptions, type Spec } from 'axe-core'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, TestRunner } from 'vitest'
import { chromiumPath, sharedChromium } from '../chromium.ts'
import { program, untilProcessEnds, type Program } from '../program.ts'
import { inNewOrganization, signedIn, type SignedIn } from './signed-in.ts'

export { chromiumPath }

/** The folder for screenshots. Unset: no screenshots. */
const screenshots = process.env['DASHBOARD_SCREENSHOTS']

/** The time limit for expectations about a page, long enough for a machine that runs other programs too. */
const timeoutMs = 120_000

type ColorScheme = 'light' | 'dark'

/** True in `npm run test:full`: `expectAccessible` checks both themes. Otherwise, it checks the theme of the test. */
const inBothThemes = process.env['THEMES'] === 'both'

/** Returns the theme in which a test opens its pages: about half of the tests use the dark one, always the same ones. */
function themeOf(test: { name: string } | undefined): ColorScheme {
  return !inBothThemes && test !== undefined && test.name.length % 2 === 1 ? 'dark' : 'light'
}

const widths = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }

/** Returns the widths of the window, in CSS pixels, at which a test runs: the usual one, or both in `npm run test:full`. */
export const widthsWith = (usual: 360 | 1280): number[] => (process.env['WIDTHS'] === 'both' ? [360, 1280] : [usual])

export interface Dashboard extends SignedIn {
  program: Program
  browser: Browser
  /** Opens a page of the dashboard as the owner. `expectNoFaults` reports the page's errors. */
  open: (path: string, options?: { width?: keyof typeof widths }) => Promise<Page>
  /** Opens a URL, which may be on another server, without a session. */
  visit: (address: string) => Promise<Page>
}

/**
 * Starts the built program with an empty data folder, a signed-in owner and a browser. Stops them after the test file.
 * @param settings returns environment variables of the program; called when it starts
 */
export const dashboard = (settings: () => Record<string, string> = () => ({})): Dashboard =>
  dashboardOf(async (atEnd) => withOwner(await program(atEnd, settings())))

interface Running {
  readonly server: Program
  readonly owner: SignedIn
}

let shared: Promise<Running> | undefined

/**
 * Like `dashboard`, but the test files of this process share the program and the owner, and each has an organization of its own. For
 * tests that neither restart the program nor change the account of the owner.
 */
export const sharedDashboard = (): Dashboard =>
  dashboardOf(async () => {
    shared ??= program(() => undefined, {}, 'migrated', untilProcessEnds).then(withOwner)
    const { server, owner } = await shared
    return { server, owner: await inNewOrganization(owner) }
  })

/** Starts the program and creates its owner. */
async function withOwner(server: Program): Promise<Running> {
  await server.start()
  return { server, owner: await signedIn(server) }
}

function dashboardOf(start: (atEnd: (end: () => Promise<void>) => void) => Promise<Running>): Dashboard {
  const started = {} as Dashboard
  const cleanups: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const { server, owner } = await start((end) => void cleanups.push(end))
    const browser = await sharedChromium()
    cleanups.push(async () => {
      for (const context of browser.contexts()) await context.close()
    })
    Object.assign(started, owner, { program: server, browser, open: opener(browser, owner), visit: visitor(browser, owner.url) })
  })
  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  })
  return started
}

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

/** Closes with the test: an open page follows events, and fetches again what they change. In a hook, it stays for all tests of the file. */
async function newContext(browser: Browser, baseURL: string, viewport = widths.desktop): Promise<BrowserContext> {
  const current = TestRunner.getCurrentTest()
  const context = await browser.newContext({ viewport, colorScheme: themeOf(current), reducedMotion: 'reduce', baseURL })
  context.setDefaultTimeout(timeoutMs)
  if (current !== undefined)
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') for (const page of context.pages()) await printPage(page)
      await context.close()
    })
  return context
}

async function watchedPage(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  watch(page)
  await page.goto(address)
  return page
}

/** Prints the text, the focus and the errors of a page. */
async function printPage(page: Page): Promise<void> {
  const text = await page.evaluate<string>(`document.body.innerText.slice(0, 2000)`)
  const focus = await page.evaluate<string>(`document.activeElement?.cloneNode().outerHTML.slice(0, 300)`)
  console.error(`The page at the end of the test: ${page.url()}\n${text}\nFocus: ${focus}\nFaults: ${faults.get(page)?.join('\n')}`)
}

/** Holds the requests of a page to some addresses until it is opened. */
export async function gate(page: Page, addresses: string): Promise<{ open: () => void }> {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  await page.route(addresses, (route) => opened.then(() => route.continue()))
  return { open }
}

const faults = new WeakMap<Page, string[]>()

function watch(page: Page): void {
  const found: string[] = []
  faults.set(page, found)
  page.on('pageerror', (error) => found.push(`${error.name}: ${error.message}`))
  page.on('console', (message) => {
    // Failed requests are shown by the page itself, and tests make some requests fail on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text())
  })
}

/** Expects no uncaught errors, React warnings or violations of the content security policy. */
export const expectNoFaults = (page: Page): void => expect(faults.get(page)).toEqual([])

/**
 * Expects no axe violations in the theme of the page, or in both themes (`inBothThemes`). Then it begins with the theme of the page,
 * and leaves it in the other one, because each change draws the whole page again. The themes differ in colors alone.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const themes: readonly ColorScheme[] = (await colorSchemeOf(page)) === 'dark' ? ['dark', 'light'] : ['light', 'dark']
  for (const [index, colorScheme] of themes.slice(0, inBothThemes ? 2 : 1).entries()) {
    await setColorScheme(page, colorScheme)
    const violations = await violationsOf(page, index === 0 ? undefined : colorRules)
    expect(violations.map(({ id, nodes }) => [colorScheme, id, nodes.map(({ html, any }) => [html, any[0]?.message])])).toEqual([])
  }
}

/**
 * Returns the axe violations of the page, which has no frames, by all rules or some. Reports without details of passed rules, and one
 * load of axe for each document, take a sixth of the time of the default.
 */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<AxeResults['violations']> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`)))
    await page.evaluate(`${axeSource}; axe.configure(${JSON.stringify(axeRules)})`)
  const options: RunOptions = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: [...rules] }) }
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`)
}

/**
 * The keys of its field scroll a list of options, so the list needs no tab stop. axe knows it by `aria-controls`, which Mantine sets
 * only with the next key if the list was made when it opened.
 */
const axeRules: Spec = { rules: [{ id: 'scrollable-region-focusable', selector: '*:not(select, textarea, [role=listbox])' }] }

/** Rules about colors. */
const colorRules = ['color-contrast', 'link-in-text-block']

async function colorSchemeOf(page: Page): Promise<ColorScheme> {
  return (await page.locator('html[data-mantine-color-scheme=dark]').count()) > 0 ? 'dark' : 'light'
}

/** Sets the color scheme, and returns when no transition is running. */
export async function setColorScheme(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await page.evaluate(endAnimations)
}

/**
 * Skips to the end of animations until 5 consecutive frames have none: an inherited color starts its transition when that of its
 * parent ends. Endless animations, those of loaders, are awaited.
 */
const endAnimations = `(async () => {
  for (let frames = 0; frames < 5;) {
    await new Promise((drawn) => requestAnimationFrame(drawn))
    const running = document.getAnimations().filter(({ playState }) => playState === 'running')
    for (const animation of running) if (animation.effect.getComputedTiming().endTime < Infinity) animation.finish()
    frames = running.length > 0 ? 0 : frames + 1
  }
})()`

/** Takes screenshots at phone and desktop width in both themes, if DASHBOARD_SCREENSHOTS names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (screenshots === undefined) return
  await mkdir(screenshots, { recursive: true })
  const before = page.viewportSize() ?? widths.desktop
  const colorSchemeBefore = await colorSchemeOf(page)
  for (const [width, size] of Object.entries(widths)) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await setColorScheme(page, colorScheme)
      await page.screenshot({ path: join(screenshots, `${name}-${width}-${colorScheme}.png`) })
    }
  }
  await setColorScheme(page, colorSchemeBefore)
  await page.setViewportSize(before)
}

const maxKeys = 80

/** Presses the Tab key until the control has the focus. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let pressed = 0; pressed < maxKeys; pressed += 1) {
    if ((await control.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach ${control.toString()}`)
}

/** Presses the Tab key until the control has the focus, then Enter. */
export async function activate(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

/**
 * Presses Enter on an item of the open menu. The menu takes the focus shortly after it is shown: a key that is pressed earlier is lost.
 */
export async function chooseItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name })
  await page.locator('[role=menu]:focus-within').waitFor()
  for (let pressed = 0; pressed < maxKeys; pressed += 1) {
    if ((await item.and(page.locator(':focus')).count()) > 0) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`The arrow keys do not reach ${item.toString()}`)
}

/** Expects that the first row of a list is in the upper part of the screen: above 360 px at the desktop width. */
export async function expectListNearTop(page: Page): Promise<void> {
  const top = (): Promise<unknown> => page.evaluate(`document.querySelector('[data-index="0"]')?.getBoundingClientRect().top`)
  await expect.poll(top, { timeout: timeoutMs }).toBeLessThan(360)
}

/** Waits until the page has its title and data. */
export async function expectLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { includeHidden: true }).first().waitFor()
  await expect.poll(() => page.locator('.mantine-Skeleton-root, .mantine-Loader-root, .loading-container').count()).toBe(0)
}

/** Expects no horizontal scrolling. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = (): Promise<unknown> =>
    page.evaluate(`
      [document.documentElement].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).flatMap(({ clientWidth }) =>
        [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth).map((element) => element.outerHTML.slice(0, 200)),
      )
    `)
  // A new viewport size does not take effect immediately.
  await expect.poll(wide, { timeout: timeoutMs }).toEqual([])
}
