import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../program.ts'
import {
  chooseItem,
  chromiumPath,
  dashboard,
  expectAccessible,
  expectListNearTop,
  expectNoFaults,
  expectNoSidewaysScroll,
  gate,
  screenshot,
  tabTo,
} from './browser.ts'

const filesOf = (name: string, length = 20, sentences = 60) =>
  Array.from({ length }, (_, index) => ({
    name: `${name}-${index + 1}.md`,
    mimeType: 'text/markdown',
    buffer: Buffer.from(
      `# ${name} ${index + 1}\n\n${`Bolt ${index + 1} is tightened with a wrench of size ${index + 8}. `.repeat(sentences)}\n`,
    ),
  }))
const files = filesOf('manual')
/** Number of files of a bulk upload, three of which fail. */
const bulk = Number(process.env['UPLOADED_FILES'] ?? 43)

const choose = (page: Page, chosen: typeof files): Promise<void> => page.locator('input[type=file]').setInputFiles(chosen)

/** Records the text of every badge that appears in a table cell. */
const recordBadges = (page: Page): Promise<unknown> =>
  page.evaluate(`
    window.seenStages = new Set()
    const record = () => document.querySelectorAll('td .mantine-Badge-label').forEach((badge) => seenStages.add(badge.textContent))
    new MutationObserver(record).observe(document.body, { subtree: true, childList: true, characterData: true })
  `)

const shownStages: Record<string, string> = {
  queued: 'Queued',
  fetching: 'Fetching',
  extracting: 'Extracting',
  chunking: 'Chunking',
  embedding: 'Embedding',
  indexing: 'Indexing',
}

/** A stand-in for YouTube with a video that has no captions. */
const videos = createServer((_request, response) => {
  const videoDetails = { videoId: 'zzzzzzzzzz1', title: 'How to bleed a brake', lengthSeconds: '60' }
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ playabilityStatus: { status: 'OK' }, videoDetails }))
})
const videosPort = await freePort()

describe.skipIf(chromiumPath === undefined)('sources of a knowledge base', () => {
  beforeAll(() => new Promise<void>((listening) => videos.listen(videosPort, '127.0.0.1', listening)))
  afterAll(() => void videos.close())
  const at = dashboard(() => ({ YOUTUBE_URL: `http://127.0.0.1:${videosPort}` }))
  const openBase = async (name: string, options?: Parameters<typeof at.open>[1]): Promise<{ page: Page; baseId: string }> => {
    const { id } = await at.api.bases.create({ name })
    const page = await at.open(`/${at.slug}/knowledge/${id}`, options)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByText('No sources yet').waitFor()
    return { page, baseId: id }
  }

  test('shows every stage of 20 files without a reload, also across a restart of the program', async () => {
    const { page, baseId } = await openBase('Manuals')
    await expectAccessible(page)
    await recordBadges(page)
    await choose(page, files)
    await page.getByText('20 of 20 added').waitFor({ timeout: 240_000 })
    await at.program.kill()
    await page.getByText('The server is not responding').waitFor()
    await at.program.start()
    await page.getByText('20 ready').waitFor({ timeout: 240_000 })
    await page.getByText('The server is not responding').waitFor({ state: 'hidden' })
    const unseenStages = async (): Promise<string[]> => {
      const seen = new Set(await page.evaluate<string[]>('[...seenStages]'))
      const reported = new Set<string>()
      for await (const { data } of at.api.events.list({ type: 'source.processing', limit: 100 }))
        if ('stage' in data) reported.add(shownStages[data.stage] ?? '')
      expect(reported.size).toBeGreaterThanOrEqual(3)
      return [...reported].filter((stage) => !seen.has(stage))
    }
    // On a busy machine, all files may be ready before the page is connected to the new program, or a stage ends between two frames.
    for (let round = 2; (await unseenStages()).length > 0 && round <= 5; round++) {
      await choose(page, filesOf(`round-${round}`))
      await page.getByText(`${20 * round} ready`).waitFor({ timeout: 240_000 })
    }
    expect(await unseenStages()).toEqual([])
    const sources = await at.api.bases.sources.list(baseId).page()
    expect(new Set(sources.data.map(({ status }) => status))).toEqual(new Set(['completed']))
    await page.getByRole('button', { name: 'Use with the API' }).first().click()
    await page
      .getByText(/groundwork:\/\/uploads\/upl_/)
      .first()
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sources')
    await page.context().close()
  }, 1_200_000)

  test('warns of a language that the embedding model does not support, without names of settings', async () => {
    const { page } = await openBase('Thai manuals')
    const thai = 'การรับประกันจักรยานมีอายุสองปีนับจากวันที่ซื้อ กรุณาเก็บใบเสร็จไว้'
    await choose(page, [{ name: 'warranty.md', mimeType: 'text/markdown', buffer: Buffer.from(thai) }])
    const warning = page.getByText('does not support Thai')
    await page.getByRole('button', { name: '1 warning' }).click({ timeout: 60_000 })
    await warning.waitFor()
    expect(await page.locator('body').innerText()).not.toContain('EMBEDDINGS_')
    await expectAccessible(page)
  })

  test('explains a failed source with a next step, and retries a failed upload', async () => {
    const { page } = await openBase('Faulty')
    await choose(page, [{ name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 no more of it') }])
    await page.getByRole('table', { name: 'Sources' }).getByText('The file is damaged', { exact: false }).waitFor()
    await screenshot(page, 'source-failed')
    expectNoFaults(page)
    await page.route('**/v1/uploads/*', (route) => route.abort())
    await choose(page, [{ name: 'later.md', mimeType: 'text/markdown', buffer: Buffer.from('# Later\n\nIt came in the end.') }])
    await page.getByText('The server cannot be reached', { exact: false }).waitFor()
    await page.unroute('**/v1/uploads/*')
    await page.getByRole('button', { name: 'Retry: later.md' }).click()
    await page.locator('td').getByText('Ready', { exact: true }).waitFor()
    await page.context().close()
  })

  test('failed files come first, and one click retries them; a bulk upload refreshes the page at most twice a second', async () => {
    const { page, baseId } = await openBase('Archive')
    const refreshes: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      // Each upload looks for a source with the name or the content of its file.
      const isLookup = searchParams.has('q') || searchParams.has('contentHash')
      if (request.method() === 'GET' && pathname.startsWith('/v1/bases') && !isLookup) refreshes.push(pathname)
    })
    const damaged = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.4 no more of ${name}`) })
    const refused = { name: 'refused.md', mimeType: 'text/markdown', buffer: Buffer.from('# Refused at first') }
    await page.route('**/v1/bases/*/sources', async (route) => {
      if (route.request().method() === 'POST' && route.request().postDataJSON().name === refused.name) return route.abort()
      return route.fallback()
    })
    const start = Date.now()
    const good = bulk - 3
    const half = Math.ceil(good / 2)
    const [archive, cellar] = [filesOf('archive', half, 2_400 / good), filesOf('cellar', good - half, 2_400 / good)]
    await choose(page, [...archive, damaged('torn.pdf'), refused, ...cellar, damaged('wet.pdf')])
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText(`${bulk - 1} of ${bulk} added, 3 failed`).waitFor({ timeout: 240_000 })
    await page.getByText(`${good} ready`).waitFor({ timeout: 240_000 })
    // Besides, the page loads, and its lists are loaded once more.
    expect(refreshes.length).toBeLessThanOrEqual(2 * Math.ceil((Date.now() - start) / 1_000) + 6)
    const shown = async (): Promise<string[]> =>
      (await uploads.getByRole('listitem').allInnerTexts()).slice(0, 3).flatMap((text) => /^\S+/.exec(text) ?? [])
    await expect.poll(shown).toEqual(['torn.pdf', 'refused.md', 'wet.pdf'])
    await uploads.getByText('The file is damaged', { exact: false }).first().waitFor()
    await expectAccessible(page)
    await screenshot(page, 'uploads-failed')
    await expectListNearTop(page)
    await page.unroute('**/v1/bases/*/sources')
    const retried: string[] = []
    page.on('request', (request) => request.url().endsWith('/retry') && retried.push(request.url()))
    await uploads.getByRole('button', { name: 'Retry failed' }).click()
    await uploads.getByText(`${bulk} of ${bulk} added, 2 failed`).waitFor()
    await expect.poll(() => retried.length).toBe(2)
    const { data } = await at.api.bases.sources.list(baseId, { q: refused.name }).page()
    expect(data.map(({ name }) => name)).toEqual([refused.name])
    expectNoFaults(page)
    await page.context().close()
  }, 600_000)

  test('by keyboard: finds sources, excludes selected ones from searches, and deletes them after a confirmation', async () => {
    const { page, baseId } = await openBase('Selected')
    for (const name of ['Price list', 'Opening hours', 'Old price list']) {
      const { storageUrl } = await at.api.uploads.create(new TextEncoder().encode(`# ${name}`), { name, type: 'text/markdown' })
      const { id } = await at.api.bases.sources.create(baseId, { type: 'file', name, storageUrl })
      await at.api.bases.sources.waitUntilProcessed(baseId, id)
    }
    await page.getByText('3 ready').waitFor()
    const shown = () => page.locator('tbody .row-link').allTextContents()
    const header = (name: string) => page.getByRole('columnheader', { name }).getByRole('button')
    await tabTo(page, header('Source'))
    await page.keyboard.press('Enter')
    await expect.poll(shown).toEqual(['Old price list', 'Opening hours', 'Price list'])
    await page.locator('th[aria-sort=ascending]').getByText('Source').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(shown).toEqual(['Price list', 'Opening hours', 'Old price list'])
    await header('Size').click()
    await expect.poll(shown).toEqual(['Old price list', 'Opening hours', 'Price list'])
    await page.locator('th[aria-sort=descending]').getByText('Size').waitFor()
    expect(new URL(page.url()).search).toBe('?sort=-bytes')
    await expectAccessible(page)
    await screenshot(page, 'sources-sorted')
    // The placeholder of the search field is shown beside all filters.
    const search = page.getByRole('searchbox', { name: 'Search sources' })
    await page.setViewportSize({ width: 1280, height: 900 })
    await expect.poll(async () => (await search.boundingBox())?.width ?? 0).toBeGreaterThanOrEqual(150)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.reload()
    await expect.poll(shown).toEqual(['Old price list', 'Opening hours', 'Price list'])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Sort by').selectOption('Oldest first')
    await expect.poll(() => page.locator('.row-link').allTextContents()).toEqual(['Price list', 'Opening hours', 'Old price list'])
    await page.getByLabel('Sort by').selectOption('Newest first')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByLabel('Sort by').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('PRICE')
    await page.getByRole('link', { name: 'Opening hours' }).waitFor({ state: 'hidden' })
    await expect.poll(() => new URL(page.url()).search).toBe('?q=PRICE')
    await tabTo(page, page.getByRole('link', { name: 'Old price list' }))
    for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
    const selection = page.getByRole('region', { name: 'Selected sources' })
    await selection.getByText('2 selected').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sources-selected')
    await tabTo(page, selection.getByRole('button', { name: 'Exclude from searches' }))
    // A selection after the notification stays, also while the list is read again.
    const list = await gate(page, '**/sources?*')
    await page.keyboard.press('Enter')
    await page.getByText('2 sources are now excluded from searches.').waitFor()
    await page.getByRole('checkbox', { name: 'Select: Price list', exact: true }).check()
    list.open()
    await page.locator('tbody tr', { hasText: 'Old price list' }).getByText('Excluded from searches').waitFor()
    const enabled = async () => (await at.api.bases.sources.list(baseId).page()).data.map((each) => [each.name, each.enabled])
    expect(await enabled()).toEqual([
      ['Old price list', false],
      ['Opening hours', true],
      ['Price list', false],
    ])
    await selection.getByRole('button', { name: 'Delete sources' }).click()
    const question = page.getByRole('dialog', { name: 'Delete 1 source?' })
    await question.getByText('This deletes “Price list”, including all content.', { exact: false }).waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Delete sources' }).click()
    await page.getByText('1 source was deleted.').waitFor()
    await selection.waitFor({ state: 'hidden' })
    expect(await enabled()).toHaveLength(2)
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Add URL' }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('by keyboard: saves a view, which every knowledge base offers, and changes it', async () => {
    const [one, other] = [await at.api.bases.create({ name: 'One' }), await at.api.bases.create({ name: 'Other' })]
    for (const { id: baseId } of [one, other])
      for (const name of ['Price list', 'Opening hours']) {
        const { storageUrl } = await at.api.uploads.create(new TextEncoder().encode(`# ${name}`), { name, type: 'text/markdown' })
        await at.api.bases.sources.create(baseId, { type: 'file', name, storageUrl })
      }
    const page = await at.open(`/${at.slug}/knowledge/${one.id}/sources?q=price&type=file&sort=name&unknown=1`)
    const prices = page.getByRole('link', { name: 'Price list' })
    const hours = page.getByRole('link', { name: 'Opening hours' })
    const picker = page.getByRole('button', { name: 'Views of sources' })
    await prices.waitFor()
    await tabTo(page, picker)
    await page.keyboard.press('Enter')
    await chooseItem(page, 'Save as view')
    const dialog = page.getByRole('dialog', { name: 'New view' })
    await tabTo(page, dialog.getByLabel('Name'))
    await page.keyboard.type('Prices')
    await tabTo(page, dialog.getByRole('checkbox', { name: 'Visible to all members' }))
    await page.keyboard.press('Space')
    await tabTo(page, dialog.getByRole('button', { name: 'Save view' }))
    await page.keyboard.press('Enter')
    await page.getByText('Prices was saved.').waitFor()
    await picker.getByText('Prices', { exact: true }).waitFor()
    const [view] = (await at.api.sourceViews.list().page()).data
    expect(view).toMatchObject({ name: 'Prices', filter: { type: 'file' }, q: 'price', sort: 'name', shared: true })
    await page.goto(`${at.url}/app/${at.slug}/knowledge/${other.id}/sources`)
    await hours.waitFor()
    await tabTo(page, picker)
    await page.keyboard.press('Enter')
    await chooseItem(page, 'Prices')
    await hours.waitFor({ state: 'detached' })
    const address = () => new URL(page.url()).pathname + new URL(page.url()).search
    await expect.poll(address).toBe(`/app/${at.slug}/knowledge/${other.id}/sources?view=${view?.id}`)
    await page.reload()
    await prices.waitFor()
    expect(await hours.count()).toBe(0)
    expect(await picker.textContent()).not.toContain('Unsaved changes')
    await expectListNearTop(page)
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
    const changed = page.getByRole('button', { name: 'Unsaved changes' })
    await changed.waitFor()
    await expectAccessible(page)
    await changed.click()
    await page.getByRole('menuitem', { name: 'Rename view' }).waitFor()
    await screenshot(page, 'sources-view')
    await page.keyboard.press('Escape')
    await expectNoSidewaysScroll(page)
    await changed.press('Enter')
    await chooseItem(page, 'Save changes')
    await page.getByText('Prices was saved.').waitFor()
    await expect.poll(() => picker.textContent()).not.toContain('Unsaved changes')
    expect((await at.api.sourceViews.get(view?.id ?? '')).sort).toBe('-bytes')
    expectNoFaults(page)
    await page.context().close()
  })

  test('uploads dropped files, also while another page is open', async () => {
    const { page } = await openBase('Dropped')
    const dropped = await page.evaluateHandle(`
      const dropped = new DataTransfer()
      for (const name of ['dropped-1.md', 'dropped-2.md']) dropped.items.add(new File(['# ' + name + ' has this text'], name, { type: 'text/markdown' }))
      dropped
    `)
    await page.getByText('No sources yet').dispatchEvent('dragenter', { dataTransfer: dropped })
    const zone = page.getByText('Drop files to upload them')
    const inTheMiddle = 'document.elementFromPoint(innerWidth / 2, innerHeight / 2).textContent'
    await expect.poll(() => page.evaluate(inTheMiddle)).toBe('Drop files to upload them')
    await zone.dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Knowledge' }).click()
    await page.getByRole('link', { name: 'Dropped' }).click()
    await page.getByText('2 of 2 added').waitFor()
    await page.getByText('2 ready').waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('pauses, resumes and cancels uploads', async () => {
    const { page } = await openBase('Paused')
    let release = (): void => undefined
    const held = new Promise<void>((done) => (release = done))
    await page.route('**/v1/uploads/*', async (route) => {
      await held
      await route.continue().catch(() => undefined)
    })
    await choose(page, files.slice(0, 5))
    await page.getByRole('button', { name: 'Pause all' }).click()
    await page
      .getByRole('button', { name: /^Resume: / })
      .nth(4)
      .waitFor()
    await page.getByRole('button', { name: 'Cancel: manual-5.md' }).click()
    release()
    await page.getByRole('button', { name: 'Resume all' }).click()
    await page.getByText('4 of 5 added').waitFor()
    await page.getByText('4 ready').waitFor()
    await page.getByRole('button', { name: 'Clear finished' }).click()
    await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'hidden' })
    expectNoFaults(page)
    await page.context().close()
  })

  test('continues the upload of a large file after a reload of the page', async () => {
    const { page } = await openBase('Archive')
    const folder = await mkdtemp(join(tmpdir(), 'groundwork-archive-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'archive.pdf')
    // No PDF, so that it is not processed for long.
    await writeFile(path, 'The archive is closed on Sunday.\n'.repeat(300_000))
    const sent: string[] = []
    page.on('request', (request) => sent.push(/parts\/\d$/.exec(request.url())?.[0] ?? ''))
    page.on('dialog', (dialog) => void dialog.accept())
    const first = page.waitForResponse('**/parts/1')
    // The second part does not arrive.
    await page.route('**/parts/2', () => undefined)
    await page.locator('input[type=file]').setInputFiles(path)
    await first
    await page.reload()
    await page.getByText('An upload was interrupted').waitFor()
    await page.getByText('archive.pdf', { exact: false }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'upload-interrupted')
    await page.unroute('**/parts/2')
    await page.locator('input[type=file]').setInputFiles(path)
    await page.getByText('1 of 1 added').waitFor()
    expect(sent.filter((part) => part !== '').toSorted()).toEqual(['parts/1', 'parts/2', 'parts/2'])
    await page.getByText('An upload was interrupted').waitFor({ state: 'hidden' })
    await page.context().close()
  })

  test('previews a URL, validates it at its field, and adds it with its settings', async () => {
    const { page, baseId } = await openBase('Addresses')
    await page.getByRole('button', { name: 'Add URL' }).click()
    const form = page.getByRole('dialog', { name: 'Add URL' })
    await form.getByRole('textbox', { name: 'URL' }).fill('not an address')
    await form.getByRole('button', { name: 'Add URL' }).click()
    await form.getByText('Enter the URL of a public page', { exact: false }).waitFor()
    // A private address is refused at once, and so is a name that has no address.
    await form.getByRole('textbox', { name: 'URL' }).fill(`${at.program.url}/docs`)
    await form.getByRole('button', { name: 'Preview' }).click()
    await form.getByRole('alert').getByText('Enter the URL of a public page', { exact: false }).waitFor()
    const url = 'http://nowhere.invalid/docs'
    await form.getByRole('textbox', { name: 'URL' }).fill(url)
    await form.getByRole('button', { name: 'Preview' }).click()
    await form.getByRole('alert').waitFor()
    await form.getByText('Website', { exact: true }).click()
    await form.getByRole('textbox', { name: 'Max pages' }).fill('7')
    await screenshot(page, 'add-address')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Add URL' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'nowhere.invalid' }).first().waitFor()
    const { data } = await at.api.bases.sources.list(baseId).page()
    expect(data[0]).toMatchObject({ type: 'scrape', maxPages: 7, url })
    await page.context().close()
  })

  test('chooses, uploads and opens a file with the keyboard', async () => {
    const { page, baseId } = await openBase('Keys')
    // Registered early, because the browser needs some time before it intercepts the file chooser.
    page.once('filechooser', (chooser) => void chooser.setFiles(files.slice(0, 1)))
    await tabTo(page, page.getByRole('button', { name: 'Upload files' }).first())
    await page.keyboard.press('Enter')
    await page.getByText('Ready', { exact: true }).waitFor({ timeout: 60_000 })
    const stored = async (): Promise<unknown> => {
      const { data } = await at.api.bases.sources.list(baseId).page()
      return data.map(({ status, bytes }) => [status, bytes])
    }
    const [file = { name: '', mimeType: '', buffer: Buffer.from('') }] = files
    await expect.poll(stored, { timeout: 60_000 }).toEqual([['completed', file.buffer.length]])
    // The same file again, and another one with its name.
    await choose(page, [file])
    await page.getByText('This knowledge base already has this file.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'upload-duplicate')
    await page.getByRole('button', { name: `Skip: ${file.name}` }).click()
    await choose(page, [{ ...file, name: 'renamed.md' }])
    await page.getByText(`This knowledge base already has this file under the name “${file.name}”.`).waitFor()
    await page.getByRole('button', { name: 'Skip: renamed.md' }).click()
    const menu = page.getByRole('button', { name: `Actions for ${file.name}` })
    await menu.click()
    const sync = page.getByRole('menuitem', { name: 'Sync now' })
    await sync.getByText('The content was uploaded, so it cannot be fetched again.').waitFor()
    expect(await sync.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('menuitem', { name: 'Retry' }).getByText('The last attempt did not fail.').waitFor()
    await screenshot(page, 'source-menu')
    await page.keyboard.press('Escape')
    await choose(page, [{ ...file, buffer: Buffer.from('# A new edition\n\nThe wrench is red.') }])
    await page.getByText('This knowledge base already has another file with this name.').waitFor()
    await page.getByRole('button', { name: `Replace source: ${file.name}` }).click()
    await page.getByText('This knowledge base already has another file with this name.').waitFor({ state: 'hidden' })
    await expect.poll(stored, { timeout: 60_000 }).toEqual([['completed', 35]])
    await tabTo(page, page.getByRole('button', { name: 'Clear finished' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('link', { name: 'manual-1.md' }))
    await page.keyboard.press('Enter')
    await page.getByText('Chunk 1', { exact: true }).waitFor({ timeout: 60_000 })
    expectNoFaults(page)
    await page.context().close()
  })

  test('shows the chunks of a source, saves its name and metadata, and deletes it', async () => {
    const { page, baseId } = await openBase('Reading', { width: 'phone' })
    await choose(page, [files[0] ?? { name: '', mimeType: '', buffer: Buffer.from('') }])
    await page.getByRole('list', { name: 'Sources' }).getByText('Ready', { exact: true }).waitFor()
    await expectNoSidewaysScroll(page)
    await page.getByRole('link', { name: 'manual-1.md' }).click()
    await page.getByRole('heading', { level: 1, name: 'manual-1.md' }).waitFor()
    await page.getByText('Chunk 1', { exact: true }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'source')
    await expectNoSidewaysScroll(page)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name').fill('Wrenches')
    await page.getByRole('button', { name: 'Add metadata' }).click()
    await page.getByLabel('Key').fill('sizes')
    await page.getByLabel('Value').fill('12')
    await page.getByRole('switch', { name: 'Include in searches' }).press('Space')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Wrenches' }).waitFor()
    await page.getByText('Excluded from searches', { exact: true }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'source-settings')
    const { data } = await at.api.bases.sources.list(baseId).page()
    expect(data[0]).toMatchObject({ name: 'Wrenches', enabled: false, metadata: { sizes: 12 } })
    await page.getByRole('button', { name: 'Delete source' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete source' }).click()
    await page.getByText('No sources yet').waitFor()
    expect((await at.api.bases.sources.list(baseId).page()).data).toEqual([])
    expectNoFaults(page)
    await page.context().close()
  })

  test('shows the outline beside the text, and tables as tables', async () => {
    const filler = (about: string): string => `${`The ${about} is checked each morning before the gate opens. `.repeat(40)}\n`
    const parts = ['Hire', 'Deposit', 'Returns', 'Damages', 'Insurance', 'Opening hours'].map((part) => `## ${part}\n\n${filler(part)}`)
    const prices = `## Prices\n\n| Item | Day | Week |\n| --- | --- | --- |\n| Ramp | 12.50 | 60 |\n| Box trailer | 31 | 150 |\n`
    const { page } = await openBase('Outlined')
    await choose(page, [{ name: 'yard.md', mimeType: 'text/markdown', buffer: Buffer.from(['# Yard', ...parts, prices].join('\n\n')) }])
    await page.getByText('Ready', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'yard.md' }).click()
    const outline = page.getByRole('navigation', { name: 'Outline' })
    await page.getByText('8 headings, 1 table').waitFor()
    expect(await outline.getByRole('button').allInnerTexts()).toHaveLength(9)
    await expectAccessible(page)
    await screenshot(page, 'source-outline')
    await tabTo(page, outline.getByRole('button', { name: 'Table Item, Day, Week 2 rows' }))
    await page.keyboard.press('Enter')
    const table = page.getByRole('region', { name: 'Item, Day, Week' })
    await table.getByRole('columnheader', { name: 'Week' }).waitFor()
    await expect.poll(() => table.getByRole('cell').allInnerTexts()).toEqual(['Ramp', '12.50', '60', 'Box trailer', '31', '150'])
    await expect.poll(() => page.locator(':focus').getByRole('region').count()).toBe(1)
    await expectAccessible(page)
    await screenshot(page, 'source-table')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.reload()
    await page.getByText('Chunk 1', { exact: true }).waitFor()
    await expectNoSidewaysScroll(page)
    await page.getByText('Outline', { exact: true }).click()
    await outline.getByRole('button', { name: 'Returns' }).click()
    await page.locator('[aria-current=true]').getByText('The Returns is checked', { exact: false }).first().waitFor()
    await expectNoSidewaysScroll(page)
    expectNoFaults(page)
    await page.context().close()
  })

  test('uploads a transcript of a video without captions, and a new version of a file', async () => {
    const { page, baseId } = await openBase('Workshop')
    const transcript = 'WEBVTT\n\n00:00:05.000 --> 00:00:20.000\nOpen the valve at the caliper by half a turn.\n'
    page.once(
      'filechooser',
      (chooser) => void chooser.setFiles({ name: 'brakes.vtt', mimeType: 'text/vtt', buffer: Buffer.from(transcript) }),
    )
    await page.getByRole('button', { name: 'Add URL' }).click()
    const form = page.getByRole('dialog', { name: 'Add URL' })
    await form.getByText('Video', { exact: true }).click()
    await form.getByRole('textbox', { name: 'URL' }).fill('https://www.youtube.com/watch?v=zzzzzzzzzz1')
    await form.getByRole('button', { name: 'Add URL' }).click()
    await page.getByText('The video has no captions', { exact: false }).waitFor()
    await page.getByRole('row').nth(1).getByRole('link').click()
    await page.getByRole('button', { name: 'Upload transcript' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'source-transcript')
    await page.getByRole('button', { name: 'Upload transcript' }).click()
    await page.getByText('Ready', { exact: true }).waitFor({ timeout: 60_000 })
    await page.getByText('Open the valve at the caliper', { exact: false }).waitFor()
    const [video] = (await at.api.bases.sources.list(baseId).page()).data
    expect(video).toMatchObject({ type: 'youtube', status: 'completed', error: null, url: 'https://www.youtube.com/watch?v=zzzzzzzzzz1' })

    const { storageUrl } = await at.api.uploads.create(new TextEncoder().encode('Opens at nine.'), {
      name: 'hours.txt',
      type: 'text/plain',
    })
    const hours = await at.api.bases.sources.create(baseId, { type: 'file', name: 'hours.txt', storageUrl })
    await at.api.bases.sources.waitUntilProcessed(baseId, hours.id)
    const later = { name: 'hours.txt', mimeType: 'text/plain', buffer: Buffer.from('Opens at ten.') }
    page.once('filechooser', (chooser) => void chooser.setFiles(later))
    await page.goto(`/app/${at.slug}/knowledge/${baseId}/sources/${hours.id}`)
    await page.getByText('Opens at nine.').waitFor()
    await page.getByRole('button', { name: 'Upload new version' }).click()
    await page.getByText('Opens at ten.').waitFor({ timeout: 60_000 })
    expect((await at.api.bases.search(baseId, { query: 'When do you open?' })).data.map(({ text }) => text)).toContain('Opens at ten.')
    expectNoFaults(page)
    await page.context().close()
  })
})
