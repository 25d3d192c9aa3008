import type { Source, SourcePage } from '@groundwork/api'
import { beforeEach, describe, expect, it } from 'vitest'
import { SourceError } from '../../lib/errors.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { startSite } from '../../testing/site.ts'
import { addPage, newBase, settled } from '../../testing/sources.ts'
import type { ShownPage } from './messages.ts'

const site = await startSite()
const outbound = createOutbound({ allowHosts: [site.host], userAgent: 'test' })
/** The rendered page at each path; without one, the fetched page. */
const shows = new Map<string, string | SourceError | { movedTo: string }>()
const shown: string[] = []
const renderer = {
  show: async ({ url, body }: { url: string; body: Uint8Array }): Promise<ShownPage> => {
    const { pathname } = new URL(url)
    shown.push(pathname)
    const made = shows.get(pathname) ?? Buffer.from(body).toString()
    if (made instanceof Error) throw made
    return typeof made === 'string' ? { html: made, movedTo: null } : { html: '', ...made }
  },
  close: async () => undefined,
}
const withBrowser = await testApp({ embedder: letterEmbedder(), worker: { outbound, renderer } })
const withoutBrowser = await testApp({ embedder: letterEmbedder(), worker: { outbound } })
const owner = await withBrowser.organization()
const origin = `http://${site.host}`

const shell = '<!doctype html><title>App</title><div id="root">Loading</div><script src="/app.js"></script>'
const pageOf = (title: string, sentence: string, links: readonly string[] = []): string =>
  `<!doctype html><title>${title}</title><main><p>${sentence}</p></main>${links.map((link) => `<a href="${link}">${title}</a>`).join(' ')}`

function answer(path: string, html: string, headers: Record<string, string> = {}): void {
  site.pages.set(path, (response, request) =>
    headers['etag'] !== undefined && request.headers['if-none-match'] === headers['etag']
      ? response.writeHead(304).end()
      : response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html),
  )
}

beforeEach(() => {
  site.pages.clear()
  shows.clear()
  shown.length = 0
  site.pages.set('/robots.txt', (response) => response.end('User-agent: *\nCrawl-delay: 0'))
})

async function crawled(by = owner): Promise<Source> {
  const { body } = await by.call('POST', `/v1/bases/${await newBase(by)}/sources`, { name: 'Site', type: 'scrape', url: `${origin}/` })
  return settled(by, body)
}

async function synced(source: Source): Promise<Source> {
  await owner.call('POST', `/v1/bases/${source.baseId}/sources/${source.id}/sync`)
  return settled(owner, source)
}

async function pagesOf(source: Source, by = owner): Promise<Record<string, string>> {
  const { body } = await by.call('GET', `/v1/bases/${source.baseId}/sources/${source.id}/pages?limit=100`)
  return Object.fromEntries(
    body.data.map(({ url, status, reason, rendered }: SourcePage) => [
      url.replace(origin, ''),
      [status, reason, rendered && 'rendered'].filter(Boolean).join(' '),
    ]),
  )
}

async function found(source: Source, query: string): Promise<string> {
  const { body } = await owner.call('POST', `/v1/bases/${source.baseId}/search`, { query, topK: 5 })
  return body.data.map(({ text }: { text: string }) => text).join('\n')
}

describe('a site with content from scripts', () => {
  it('is rendered with a browser, including links, also at every sync', async () => {
    for (const path of ['/', '/prices', '/hours']) answer(path, shell, { etag: '"shell"' })
    answer('/static', pageOf('Static', 'This page needs no scripts, short as it is.'))
    shows.set('/', pageOf('Start', 'The workshop at the harbour.', ['/prices', '/hours', '/static']))
    shows.set('/prices', pageOf('Prices', 'An inner tube costs nine euros.'))
    shows.set('/hours', pageOf('Hours', 'We open at eight in the morning.'))
    const first = await crawled()
    expect(first).toMatchObject({ status: 'completed', pages: 4, warnings: [] })
    expect(await pagesOf(first)).toEqual({
      '/': 'fetched rendered',
      '/prices': 'fetched rendered',
      '/hours': 'fetched rendered',
      '/static': 'fetched',
    })
    expect(await found(first, 'inner tube')).toContain('nine euros')

    shows.set('/prices', pageOf('Prices', 'An inner tube costs eleven euros.'))
    const second = await synced(first)
    expect(await pagesOf(second)).toMatchObject({
      '/': 'unchanged rendered',
      '/prices': 'fetched rendered',
      '/hours': 'unchanged rendered',
    })
    expect(await found(second, 'inner tube')).toContain('eleven euros')
    expect(shown.filter((path) => path === '/static')).toEqual([])
  })

  it('keeps its content while the browser fails', async () => {
    answer('/', shell)
    answer('/late', shell)
    shows.set('/', pageOf('Start', 'What stood here first.', ['/late']))
    shows.set('/late', new SourceError('timeout', 'too slow'))
    const first = await crawled()
    // The fetched page has one word of text, which is better than none.
    expect(await pagesOf(first)).toEqual({ '/': 'fetched rendered', '/late': 'fetched' })
    expect(first.warnings).toEqual([expect.stringMatching(/^Pages that show little text .*: 1, such as .*\/late/)])
    shows.set('/', new SourceError('fetch_failed', 'crashed'))
    shows.set('/late', pageOf('Late', 'Here at last.'))
    const second = await synced(first)
    expect(await pagesOf(second)).toEqual({ '/': 'failed render_failed rendered', '/late': 'fetched rendered' })
    expect(await found(second, 'stood here')).toContain('What stood here first.')
  })

  it('follows navigations by scripts', async () => {
    answer('/', shell)
    answer('/en', shell)
    answer('/away', shell)
    shows.set('/', { movedTo: `${origin}/en` })
    shows.set('/en', pageOf('English', 'The English pages.', ['/away']))
    shows.set('/away', { movedTo: 'http://example.com/' })
    expect(await pagesOf(await crawled())).toEqual({ '/': 'skipped redirect', '/en': 'fetched rendered', '/away': 'skipped off_site' })
  })

  it('does not render noindex pages', async () => {
    answer('/', pageOf('Start', 'A way in.', ['/hidden']))
    answer('/hidden', `<meta name="robots" content="noindex">${shell}`)
    expect(await pagesOf(await crawled())).toEqual({ '/': 'fetched', '/hidden': 'skipped noindex' })
    expect(shown).toEqual([])
  })

  it('without a browser is reported as thin, with a remedy', async () => {
    const other = await withoutBrowser.organization()
    answer('/', shell.replace('Loading', ''))
    const source = await crawled(other)
    expect(source).toMatchObject({ status: 'failed', errorCode: 'empty_content', error: expect.stringContaining('CHROMIUM_PATH') })
    expect(await pagesOf(source, other)).toEqual({ '/': 'skipped thin' })
  })
})

describe('a page with content from scripts', () => {
  it('is rendered with a browser, and synced even if the fetched page is the same', async () => {
    answer('/app', shell, { etag: '"shell"' })
    shows.set('/app', pageOf('App', 'The rental desk opens at nine.'))
    const base = await newBase(owner)
    const first = await settled(owner, await addPage(owner, base, `${origin}/app`))
    expect(first).toMatchObject({ status: 'completed', warnings: [] })
    expect(await found(first, 'rental desk')).toContain('opens at nine')
    shows.set('/app', pageOf('App', 'The rental desk opens at ten.'))
    expect(await found(await synced(first), 'rental desk')).toContain('opens at ten')
  })

  it('follows navigations by scripts', async () => {
    answer('/from', shell)
    answer('/to', pageOf('Target', 'Where the scripts lead.'))
    shows.set('/from', { movedTo: `${origin}/to` })
    const source = await settled(owner, await addPage(owner, await newBase(owner), `${origin}/from`))
    expect(await found(source, 'scripts')).toContain('Where the scripts lead.')
  })

  it('fails with the browser, or keeps its little text with a warning', async () => {
    const base = await newBase(owner)
    answer('/empty', shell.replace('Loading', ''))
    answer('/little', shell)
    for (const path of ['/empty', '/little']) shows.set(path, new SourceError('timeout', 'It took too long.'))
    expect(await settled(owner, await addPage(owner, base, `${origin}/empty`))).toMatchObject({ status: 'failed', errorCode: 'timeout' })
    const little = await settled(owner, await addPage(owner, base, `${origin}/little`))
    expect(little).toMatchObject({ status: 'completed', warnings: [expect.stringContaining('It took too long.')] })
  })

  it('without a browser is reported as thin, with a remedy', async () => {
    const other = await withoutBrowser.organization()
    const base = await newBase(other)
    answer('/empty', shell.replace('Loading', ''))
    answer('/little', shell)
    const hint = expect.stringContaining('CHROMIUM_PATH')
    const empty = await settled(other, await addPage(other, base, `${origin}/empty`))
    expect(empty).toMatchObject({ status: 'failed', errorCode: 'empty_content', error: hint })
    expect(await settled(other, await addPage(other, base, `${origin}/little`))).toMatchObject({ status: 'completed', warnings: [hint] })
  })
})
