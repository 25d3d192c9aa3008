import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, expectNoSidewaysScroll, gate, screenshot } from './browser.ts'

describe.skipIf(chromiumPath === undefined)('the frame of the dashboard', () => {
  const at = dashboard()

  test('the start page opens the organization; pages have a title and are accessible', async () => {
    const page = await at.open('/')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/app/${at.slug}`)
    await expect.poll(() => page.title()).toBe('Home · Acme · Groundwork')
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    expect(await links.first().textContent()).toBe('Home')
    await links.getByText('Knowledge').click()
    await page.getByText('No knowledge bases yet').waitFor()
    await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]').allInnerTexts()).toEqual(['Knowledge'])
    await expectAccessible(page)
    await screenshot(page, 'knowledge-empty')
    expectNoFaults(page)
    await page.context().close()
  })

  test('on a phone, the navigation is a drawer that closes after a selection', async () => {
    const page = await at.open(`/${at.slug}/knowledge`, { width: 'phone' })
    await page.getByRole('button', { name: 'Open navigation' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: 'Knowledge' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'drawer')
    await drawer.getByRole('link', { name: 'Knowledge' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await expectNoSidewaysScroll(page)
    expectNoFaults(page)
    await page.context().close()
  })

  test('while the code or the data of a page loads, its place is taken by a placeholder', async () => {
    const page = await at.open(`/${at.slug}`)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    const placeholder = page.getByRole('main').getByRole('status', { name: 'Loading…' })
    const [code, data] = [await gate(page, '**/assets/*.js'), await gate(page, '**/v1/companies**')]
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Companies' }).click()
    // Placeholders of Home may still be there.
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(0)
    await placeholder.first().waitFor()
    code.open()
    await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
    await placeholder.first().waitFor()
    data.open()
    await page.getByText('No companies yet').waitFor()
    expect(await page.locator('h1:focus').innerText()).toBe('Companies')
    expect(await placeholder.count()).toBe(0)
    expectNoFaults(page)
    await page.context().close()
  })

  test('a page requests its data once, and shows a change from before its event stream was open', async () => {
    await at.api.companies.create({ name: 'Before the page' })
    const page = await at.open('/account')
    const requests: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/v1/')) requests.push(`${request.method()} ${pathname}${search}`)
    })
    const stream = await gate(page, '**/v1/events/stream**')
    await page.goto(`/app/${at.slug}/companies`)
    await page.getByRole('link', { name: 'Before the page' }).waitFor()
    await expect.poll(() => requests.filter((each) => each.includes('/v1/events')).length).toBe(1)
    const atFirst = requests.length
    await at.api.companies.create({ name: 'Before the stream' })
    stream.open()
    await page.getByRole('link', { name: 'Before the stream' }).waitFor()
    const [first, later] = [requests.slice(0, atFirst), requests.slice(atFirst)]
    expect(first).toEqual([...new Set(first)])
    // The event tells which data it changes.
    expect(later.every((each) => each.startsWith('GET /v1/companies'))).toBe(true)
    expectNoFaults(page)
    await page.context().close()
  })

  test.each(['phone', 'desktop'] as const)(
    'before the code of a page has loaded, its title is at the place of its heading (%s)',
    async (width) => {
      const page = await at.open('/account', { width })
      const code = await gate(page, '**/assets/*.js')
      await page.goto(`/app/${at.slug}/contacts`, { waitUntil: 'commit' })
      const early = page.locator('#start p')
      await early.getByText('Contacts').waitFor()
      // Nothing is painted before the styles have loaded.
      await expect.poll(() => page.evaluate('[...document.styleSheets].some(({ href }) => href !== null)')).toBe(true)
      const place = await textBox(page, '#start p')
      await screenshot(page, 'start')
      code.open()
      const heading = page.getByRole('heading', { level: 1, name: 'Contacts' })
      await heading.waitFor()
      expect(await textBox(page, 'h1')).toEqual(place)
      await expect.poll(() => early.count()).toBe(0)
      expectNoFaults(page)
      await page.context().close()
    },
  )

  test('the title in the HTML is the heading of each page of the navigation', async () => {
    const page = await at.open(`/${at.slug}/settings/organization`)
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await links.first().waitFor()
    const paths = await Promise.all((await links.all()).map((link) => link.getAttribute('href')))
    expect(paths.length).toBeGreaterThan(10)
    // Settings, whose pages are listed only on them, are the last.
    for (const path of new Set(paths.toReversed())) {
      const html = await (await page.request.get(path ?? '')).text()
      const title = /<p>([^<]+)<\/p>/.exec(html)?.[1] ?? ''
      await links
        .and(page.locator(`[href="${path}"]`))
        .first()
        .click()
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    }
    expectNoFaults(page)
    await page.context().close()
  })

  test('the palette finds pages and records while typing, runs actions, and works with the keyboard', async () => {
    const base = await at.api.bases.create({ name: 'Front desk', description: 'Questions of guests' })
    const page = await at.open(`/${at.slug}/knowledge`)
    await page.getByRole('link', { name: 'Front desk' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('textbox', { name: 'Search or jump to…' })
    await field.fill('front')
    await page
      .locator('[data-selected]')
      .and(page.getByRole('button', { name: /Front desk/ }))
      .waitFor()
    await screenshot(page, 'palette')
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/app/${at.slug}/knowledge/${base.id}**`)
    const source = await at.api.bases.sources.create(base.id, { type: 'url', name: 'Opening hours', url: 'https://example.com/hours' })
    // More than a page of knowledge bases.
    for (let newer = 1; newer <= 101; newer += 1) await at.api.bases.create({ name: `Newer ${newer}` })
    await page.keyboard.press('Control+k')
    await field.fill('opening')
    await page.getByRole('button', { name: /^Opening hours\s*Front desk/ }).waitFor()
    await field.fill('front DESK')
    await page.getByRole('button', { name: /^Front desk/ }).waitFor()
    await field.fill('opening')
    await page.getByRole('button', { name: /^Opening hours/ }).click()
    await page.waitForURL(`**/knowledge/${base.id}/sources/${source.id}`)
    await page.keyboard.press('Control+k')
    await field.fill('audit')
    await page.getByRole('button', { name: 'Audit log', exact: true }).click()
    await page.waitForURL(`**/app/${at.slug}/settings/audit`)
    await page.keyboard.press('Control+k')
    // A record that arrives later is above the selected action. Enter is pressed in the moment in which the record appears.
    await at.api.companies.create({ name: 'Create company reports' })
    const records = await gate(page, '**/v1/**')
    await field.fill('create company')
    await page.getByRole('button', { name: 'Create company', exact: true }).waitFor()
    await page.evaluate(`new MutationObserver((_changes, observer) => {
      if (!document.querySelector('[role=dialog]').textContent.includes('Create company reports')) return
      observer.disconnect()
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true }))
    }).observe(document.body, { childList: true, subtree: true, characterData: true })`)
    records.open()
    await page.getByRole('dialog', { name: 'Create company' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Create company' }).waitFor({ state: 'hidden' })
    expectNoFaults(page)
    await page.context().close()
  })

  test('the skip link comes first, ? shows the shortcuts, and g followed by a letter opens a page', async () => {
    const page = await at.open(`/${at.slug}/knowledge`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.goto(`/app/${at.slug}/nothing/here`)
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.getByRole('heading', { level: 1, name: 'Knowledge' }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('remembers the selected theme', async () => {
    const page = await at.open(`/${at.slug}/knowledge`)
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByText('Dark', { exact: true }).click()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
    expectNoFaults(page)
    await page.context().close()
  })

  test('remembers the compact density, with lower rows and without a flash; fingers keep large targets', async () => {
    const path = `/${at.slug}/settings/tokens`
    const page = await at.open(path)
    const rowHeight = async (shown: Page): Promise<number> => (await shown.locator('tr.data-row').first().boundingBox())?.height ?? 0
    const targets = (shown: Page): Promise<number[]> =>
      shown
        .locator('#content')
        .locator('button, input:not([type=checkbox]), select')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height).filter((height) => height > 0))
    const comfortable = await rowHeight(page)
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitemradio', { name: 'Compact', exact: true }).click()
    await expect.poll(() => rowHeight(page)).toBeLessThan(comfortable - 10)
    const scripts = await gate(page, '**/app/assets/*.js')
    await page.reload({ waitUntil: 'commit' })
    // The scripts of the dashboard have not run.
    await page.locator('html[data-density=compact]').waitFor({ state: 'attached' })
    scripts.open()
    await page.getByRole('heading', { level: 1 }).waitFor()
    const compact = await rowHeight(page)
    expect(compact).toBeLessThan(comfortable - 10)
    expect(Math.min(...(await targets(page)))).toBeGreaterThanOrEqual(24)
    await expectAccessible(page)
    await screenshot(page, 'compact-tokens')
    for (const name of ['', '/contacts', '/proposals/new', '/settings/organization']) {
      await page.goto(`/app/${at.slug}${name}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectNoSidewaysScroll(page)
      await screenshot(page, `compact${name.replaceAll('/', '-')}`)
    }
    expectNoFaults(page)

    const context = await at.browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: at.url, hasTouch: true, isMobile: true })
    await at.enter(context)
    await context.addInitScript(`localStorage.setItem('groundwork-density', 'compact')`)
    const touched = await context.newPage()
    await touched.goto(`/app${path}`)
    await touched.locator('html[data-density=compact]').waitFor({ state: 'attached' })
    await expect.poll(() => rowHeight(touched)).toBe(comfortable)
    await context.close()
    await page.context().close()
  })

  test('shows changes of other users without a reload, also after a restart of the server', async () => {
    const page = await at.open(`/${at.slug}/knowledge`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await at.api.bases.create({ name: 'Made elsewhere' })
    await page.getByText('Made elsewhere').waitFor()
    await at.program.kill()
    await page.getByText('The server is not responding').waitFor()
    await screenshot(page, 'lost')
    await at.program.start()
    await at.api.bases.create({ name: 'Made after the restart' })
    await page.getByText('Made after the restart').waitFor()
    await page.getByText('The server is not responding').waitFor({ state: 'hidden' })
    // No expectNoFaults here: the browser itself logs refused connections to the console.
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })

  test.each(['offline', 'stopped'] as const)(
    'without a connection, a page whose code is missing says so within the frame, and opens when the server responds (%s)',
    async (state) => {
      const page = await at.open(`/${at.slug}/knowledge`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (state === 'offline') await page.context().setOffline(true)
      else await at.program.kill()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Companies' }).click()
      await page.getByRole('heading', { level: 1, name: 'No connection to the server' }).waitFor()
      expect(await page.getByText('Groundwork has been updated').count()).toBe(0)
      await screenshot(page, `no-connection-${state}`)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { level: 1, name: 'No connection to the server' }).waitFor()
      expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Knowledge' }).count()).toBe(1)
      if (state === 'offline') await page.context().setOffline(false)
      else await at.program.start()
      await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
      await page.context().close()
    },
  )

  test.each(['offline', 'stopped'] as const)(
    'without a connection, a dialog whose code is missing says so above the page, and opens when the server responds (%s)',
    async (state) => {
      const page = await at.open(`/${at.slug}/proposals/new`)
      const title = page.getByLabel('Title')
      await title.fill('Offer for the summer')
      const lost = page.getByRole('dialog', { name: 'No connection to the server' })
      if (state === 'offline') await page.context().setOffline(true)
      else await at.program.kill()
      await page.getByRole('button', { name: 'Search', exact: false }).first().click()
      await lost.getByText('It will open when the server is available again.', { exact: false }).waitFor()
      expect(await page.getByText('Groundwork has been updated').count()).toBe(0)
      await screenshot(page, `no-connection-dialog-${state}`)
      await page.keyboard.press('Escape')
      await lost.waitFor({ state: 'hidden' })
      expect(await title.inputValue()).toBe('Offer for the summer')
      await page.getByRole('heading', { level: 1 }).focus()
      await page.keyboard.press('?')
      await lost.getByRole('button', { name: 'Try again' }).click()
      await lost.waitFor()
      if (state === 'offline') await page.context().setOffline(false)
      else await at.program.start()
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.keyboard.press('Control+k')
      await page.getByRole('textbox', { name: 'Search or jump to…' }).fill('audit')
      await page.getByRole('button', { name: 'Audit log', exact: true }).waitFor()
      // Its styles, which were missing too, are loaded as well.
      await expect.poll(() => page.evaluate(`getComputedStyle(document.querySelector('.mantine-Spotlight-action')).display`)).toBe('flex')
      expect(await title.inputValue()).toBe('Offer for the summer')
      await page.context().close()
    },
  )

  test('after an update, a page whose code no longer exists is reloaded once, and otherwise says so', async () => {
    const page = await at.open(`/${at.slug}/knowledge`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const loaded = new Set<string>(await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`))
    const isGone = ({ href }: URL): boolean => href.includes('/app/assets/') && !loaded.has(href)
    await page.route(isGone, (route) => route.fulfill({ status: 404 }))
    const companies = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Companies' })
    const reloaded = page.waitForEvent('load')
    await companies.click()
    await reloaded
    await page.getByText('Groundwork has been updated. Reload the page to use the new version.').waitFor()
    expect(await page.getByText('No connection to the server').count()).toBe(0)
    await page.unroute(isGone)
    await page.getByRole('button', { name: 'Reload page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
    await page.context().close()
  })

  test('hides controls that the role does not allow', async () => {
    const { id } = await at.api.bases.create({ name: 'Read only' })
    const page = await at.open(`/${at.slug}/knowledge`)
    await page.getByRole('button', { name: 'Create knowledge base' }).waitFor()
    await page.route('**/v1/me', async (route) => {
      const answer = await route.fetch()
      const me = (await answer.json()) as { organizations: { role: string; scopes: string[] }[] }
      const asViewer = me.organizations.map((organization) => ({
        ...organization,
        role: 'viewer',
        scopes: ['bases:read', 'sources:read', 'events:read'],
      }))
      await route.fulfill({ response: answer, json: { ...me, organizations: asViewer } })
    })
    await page.reload()
    await page.getByRole('link', { name: 'Read only' }).waitFor()
    expect(await page.getByRole('button', { name: 'Create knowledge base' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual(['Knowledge'])
    await page.goto(`/app/${at.slug}/knowledge/${id}`)
    await page.getByText('No sources yet').waitFor()
    expect(await page.getByRole('button', { name: 'Upload files' }).count()).toBe(0)
    await expect
      .poll(() => page.getByRole('navigation', { name: 'Knowledge base' }).getByRole('link').allTextContents())
      .toEqual(['Sources', 'Settings', 'Re-index'])
    await page.context().close()
  })

  test('shows validation errors at their fields and keeps the form values', async () => {
    const page = await at.open(`/${at.slug}/knowledge`)
    await page.getByRole('button', { name: 'Create knowledge base' }).click()
    const form = page.getByRole('dialog', { name: 'Create knowledge base' })
    await form.getByLabel('Description').fill('Kept')
    await form.getByLabel('Language').fill('not a language')
    await form.getByRole('button', { name: 'Create knowledge base' }).click()
    await form.getByText('This field is required.').waitFor()
    await form.getByText('Enter a language code, such as en, de or pt-BR.').waitFor()
    await expect.poll(() => form.getByLabel('Description').inputValue()).toBe('Kept')
    await screenshot(page, 'create-base-refused')
    await expectAccessible(page)
    await form.getByLabel('Language').fill('de')
    await form.getByLabel('Name').fill('Handbook')
    await form.getByRole('button', { name: 'Create knowledge base' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: 'Handbook', level: 1 }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })
})

/** Returns the place of the text of an element, without its padding, and its font. */
const textBox = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const element = document.querySelector('${selector}')
    const range = document.createRange()
    range.selectNodeContents(element)
    const { left, top, width, height } = range.getBoundingClientRect()
    const { color, fontSize, fontWeight, lineHeight } = getComputedStyle(element)
    return { left, top, width, height, color, fontSize, fontWeight, lineHeight }
  })()`)
