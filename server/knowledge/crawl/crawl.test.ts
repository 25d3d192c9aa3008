import type { Source, SourcePage } from '@groundwork/api'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { SourceError } from '../../lib/errors.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { endDelays } from '../../testing/delayed-jobs.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { chromiumHint } from '../render/read-shown.ts'
import { createHosts } from './hosts.ts'
import { startSite } from '../../testing/site.ts'
import { newBase, settled } from '../../testing/sources.ts'
import { syncSourceWork } from '../sources/schedule.ts'

const site = await startSite()
const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [site.host], userAgent: 'test', resolve: async () => [{ address: '10.1.1.1', family: 4 }] })
const { organization, database, platform } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()
const origin = `http://${site.host}`

interface Answer {
  status?: number
  headers?: Record<string, string>
  head?: string
}

/** A page with a title of its own, links and one sentence. */
function page(path: string, sentence: string, links: readonly string[] = [], { status = 200, headers = {}, head = '' }: Answer = {}): void {
  const anchors = links.map((link) => `<a href="${link}">${link.replace(/[^a-z]/g, ' ')}</a>`).join(' ')
  const title = `The page ${path.replace(/[^a-z]/g, ' ')}`
  const body = `<html><head><title>${title}</title>${head}</head><body><main><p>${sentence}</p></main><nav>${anchors}</nav></body></html>`
  site.pages.set(path, (response) => response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body))
}

function robots(text: string): void {
  site.pages.set('/robots.txt', (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(text))
}

beforeEach(() => {
  site.pages.clear()
  site.requests.length = 0
  robots('User-agent: *\nCrawl-delay: 0')
})

const add = async (base: string, settings: object = {}, path = '/'): Promise<Source> =>
  (await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'Site', type: 'scrape', url: origin + path, ...settings })).body

const crawled = async (base: string, settings: object = {}, path = '/'): Promise<Source> => settled(owner, await add(base, settings, path))

async function synced(source: Source): Promise<Source> {
  expect((await owner.call('POST', `/v1/bases/${source.baseId}/sources/${source.id}/sync`)).status).toBe(202)
  return settled(owner, source)
}

async function pagesOf(source: Source, query = ''): Promise<Record<string, SourcePage>> {
  const { status, body } = await owner.call('GET', `/v1/bases/${source.baseId}/sources/${source.id}/pages?limit=100${query}`)
  expect(status).toBe(200)
  return Object.fromEntries(body.data.map((each: SourcePage) => [each.url.replace(origin, ''), each]))
}

/** Returns the outcome of each page: `read`, or its status and reason. */
const outcomes = async (source: Source): Promise<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(await pagesOf(source)).map(([path, { status, reason }]) => [path, reason === null ? status : `${status} ${reason}`]),
  )

const asked = (): string[] => site.requests.map(({ path }) => path)

const search = async (base: string, query: string) =>
  (await owner.call('POST', `/v1/bases/${base}/search`, { query, topK: 20 })).body.data as {
    url: string
    text: string
    sourceName: string
    citation: { title: string | null }
  }[]

describe('a crawl', () => {
  it('follows links, and cites each page with its URL and title', async () => {
    page('/', 'The bicycle shop at the harbour.', [
      '/repairs',
      'prices/',
      '#top',
      'mailto:a@example.com',
      'http://127.0.0.1:1/',
      '/logo.png',
    ])
    page('/repairs', 'A puncture is mended while you wait.', ['/', '/prices/', '/repairs#again'])
    page('/prices/', 'A new inner tube costs nine euros.', ['../repairs?utm_source=x'])
    const base = await newBase(owner)
    const source = await crawled(base)
    expect(source).toMatchObject({ status: 'completed', error: null, pages: 3, maxPages: 100, include: [], exclude: [], warnings: [] })
    expect(await outcomes(source)).toEqual({ '/': 'fetched', '/repairs': 'fetched', '/prices/': 'fetched' })
    expect(asked().toSorted()).toEqual(['/', '/prices/', '/repairs', '/robots.txt', '/sitemap.xml'])
    const [hit] = await search(base, 'inner tube costs')
    expect(hit).toMatchObject({
      url: `${origin}/prices/`,
      sourceName: 'Site',
      text: expect.stringContaining('nine euros'),
      citation: { title: 'The page prices' },
    })
    const pages = await pagesOf(source)
    expect(pages['/repairs']).toEqual({
      id: expect.stringMatching(/^pag_/),
      url: `${origin}/repairs`,
      status: 'fetched',
      reason: null,
      httpStatus: 200,
      canonicalUrl: null,
      title: 'The page repairs',
      language: expect.toBeOneOf(['en', null]),
      bytes: expect.any(Number),
      rendered: false,
      chunks: 1,
      fetchedAt: expect.stringMatching(/Z$/),
    })
    expect(Object.values(pages).reduce((sum, { chunks }) => sum + chunks, 0)).toBe(source.chunksCount)
  })

  it('has the total size of its pages with text, also after a sync of pages from before sizes were stored', async () => {
    page('/', 'The bicycle shop at the harbour.', ['/repairs', '/draft', '/prices'])
    page('/repairs', 'A puncture is mended while you wait.')
    page('/draft', 'Not to be found yet.', [], { head: '<meta name="robots" content="noindex">' })
    const base = await newBase(owner)
    const source = await crawled(base)
    const kept = Object.entries(await pagesOf(source)).filter(([path]) => path === '/' || path === '/repairs')
    const total = kept.reduce((sum, [, { bytes }]) => sum + (bytes ?? 0), 0)
    expect(kept.every(([, { bytes }]) => (bytes ?? 0) > 50)).toBe(true)
    expect(source.bytes).toBe(total)
    expect((await owner.call('GET', `/v1/bases/${base}`)).body.stats.bytes).toBe(total)
    await owner.ctx.db.pool.query('update source_page set bytes = null where source_id = $1', [source.id.slice(-36)])
    await owner.ctx.db.pool.query('update source set page_bytes = null where id = $1', [source.id.slice(-36)])
    expect(await synced(source)).toMatchObject({ status: 'completed', bytes: total })
    await owner.ctx.db.pool.query("update source_page set bytes = null where source_id = $1 and url like '%/repairs'", [
      source.id.slice(-36),
    ])
    site.pages.set('/repairs', (response) => response.writeHead(304).end())
    expect(await synced(source)).toMatchObject({ status: 'completed', bytes: null })
  })

  it('obeys robots.txt, robots meta elements, X-Robots-Tag and rel=nofollow', async () => {
    robots('User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\nAllow: /private/but-this\nCrawl-delay: 0')
    page('/', 'Welcome to everyone who reads this.', [
      '/private/a',
      '/private/but-this',
      '/meta',
      '/header',
      '/nofollow-page',
      '/hidden" rel="nofollow',
    ])
    page('/private/but-this', 'This one may be read.')
    page('/meta', 'Not for search engines.', ['/from-meta'], { head: '<meta name="ROBOTS" content="NOINDEX">' })
    page('/from-meta', 'Linked by a page that is not indexed.')
    page('/header', 'Not for search engines either.', ['/from-header'], {
      headers: { 'x-robots-tag': 'googlebot: nofollow, groundwork: none' },
    })
    page('/nofollow-page', 'Read, but not followed.', ['/from-nofollow'], { head: '<meta name="robots" content="index, nofollow">' })
    const source = await crawled(await newBase(owner))
    expect(await outcomes(source)).toEqual({
      '/': 'fetched',
      '/private/a': 'skipped robots_disallowed',
      '/private/but-this': 'fetched',
      '/meta': 'skipped noindex',
      '/from-meta': 'fetched',
      '/header': 'skipped noindex',
      '/nofollow-page': 'fetched',
    })
    expect(asked()).not.toContain('/private/a')
    expect(asked()).not.toContain('/hidden')
  })

  it('reads sitemaps, compressed sitemaps and sitemap indexes', async () => {
    robots(`User-agent: *\nCrawl-delay: 0\nSitemap: ${origin}/index.xml\nSitemap: http://example.com/other.xml`)
    const answer = (path: string, body: string | Buffer) =>
      site.pages.set(path, (response) => response.writeHead(200, { 'content-type': 'application/xml' }).end(body))
    answer('/index.xml', `<sitemapindex><sitemap><loc>${origin}/packed.xml.gz</loc></sitemap></sitemapindex>`)
    const urls = ['/a?x=1&amp;y=2', '/b'].map((path) => `<url><loc>\n${origin}${path}</loc></url>`).join('')
    answer('/packed.xml.gz', gzipSync(`<urlset>${urls}<url><loc>http://example.com/elsewhere</loc></url></urlset>`))
    page('/', 'A front page without a link.')
    page('/a?x=1&y=2', 'Found in the sitemap alone.')
    page('/b', 'The other one of the sitemap.')
    const source = await crawled(await newBase(owner))
    expect(await outcomes(source)).toEqual({ '/': 'fetched', '/a?x=1&y=2': 'fetched', '/b': 'fetched' })
  })

  it('treats different URLs of a page as one page', async () => {
    page('/', 'All roads lead to this page.', [
      '/index.html',
      '/a?utm_campaign=x',
      '/a/',
      '/a?b=2&a=1',
      '/a?a=1&b=2',
      '/c;jsessionid=A1',
      '/c?PHPSESSID=0',
    ])
    page('/a', 'A page with and without a slash.')
    page('/a?b=2&a=1', 'Parameters in any order.')
    page('/c', 'A page with a session.')
    const source = await crawled(await newBase(owner))
    expect(await outcomes(source)).toEqual({ '/': 'fetched', '/a': 'fetched', '/a?b=2&a=1': 'fetched', '/c': 'fetched' })
  })

  it('merges duplicates by canonical URL and by text', async () => {
    page('/', 'The start of everything here.', ['/list?sort=up', '/list', '/copy', '/original', '/wrong'])
    page('/list', 'One, two, three.')
    page('/list?sort=up', 'Three, two, one.', [], { head: '<link rel="canonical" href="/list">' })
    const text = '<p>The same text under two addresses.</p>'
    for (const path of ['/copy', '/original'])
      site.pages.set(path, (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Text</title>${text}`))
    page('/wrong', 'Text of its own, whatever the site says.', [], { head: '<link rel="canonical" href="/">' })
    const source = await crawled(await newBase(owner))
    expect(source.pages).toBe(4)
    expect(await outcomes(source)).toEqual({
      '/': 'fetched',
      '/list?sort=up': 'skipped duplicate',
      '/list': 'fetched',
      '/copy': 'fetched',
      '/original': 'skipped duplicate',
      '/wrong': 'fetched',
    })
    expect((await pagesOf(source))['/original']).toMatchObject({ canonicalUrl: `${origin}/copy`, chunks: 0 })
  })

  it('follows redirects only within the site', async () => {
    page('/', 'Ways in and out.', ['/old', '/away', '/inside', '/circle-a', '/refresh', '/dir'])
    const redirect = (path: string, location: string) => site.pages.set(path, (response) => response.writeHead(302, { location }).end())
    redirect('/old', '/new')
    redirect('/away', 'http://example.com/')
    redirect('/inside', 'http://169.254.169.254/latest/meta-data/')
    redirect('/circle-a', '/circle-b')
    redirect('/circle-b', '/circle-a')
    redirect('/dir', '/dir/')
    page('/dir/', 'A folder, by its right name.')
    page('/refresh', 'Moved.', [], { head: '<meta http-equiv="refresh" content="0; url=/new">' })
    page('/new', 'Where the old address leads.')
    const source = await crawled(await newBase(owner))
    expect(await outcomes(source)).toEqual({
      '/': 'fetched',
      '/old': 'skipped redirect',
      '/new': 'fetched',
      '/away': 'skipped off_site',
      '/inside': 'skipped off_site',
      '/circle-a': 'skipped redirect',
      '/circle-b': 'skipped redirect',
      '/refresh': 'skipped redirect',
      '/dir/': 'fetched',
    })
    expect((await pagesOf(source))['/old']?.canonicalUrl).toBe(`${origin}/new`)
  })

  it('leaves out sign-in forms, with a warning', async () => {
    page('/', 'Open to everyone.', ['/members', '/docs/login'])
    site.pages.set('/members', (response) => response.writeHead(302, { location: '/login?next=%2Fmembers' }).end())
    const form = '<form><label>Name <input name="username"></label><label>Password <input type="password"></label></form>'
    const html = (body: string): string => `<html lang="en"><title>Members</title><main><h1>Members</h1>${body}</main>`
    site.pages.set('/login?next=%2Fmembers', (response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(`<p>Please sign in to see this page.</p>${form}`))
    })
    site.pages.set('/docs/login', (response) => {
      const article = '<p>The first sign-in needs the card that came with the key to the workshop.</p>'.repeat(30)
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(article + form))
    })
    const source = await crawled(await newBase(owner))
    expect(await outcomes(source)).toEqual({
      '/': 'fetched',
      '/members': 'skipped redirect',
      '/login?next=%2Fmembers': 'skipped sign_in',
      '/docs/login': 'fetched',
    })
    expect(source.warnings).toEqual([expect.stringContaining(`Sign-in forms left out: 1, such as ${origin}/login`)])
  })

  it('keeps cookies, which some sites demand', async () => {
    site.pages.set('/', (response, { headers }) => {
      if (headers.cookie === 'seen=1') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Shown with a cookie only.</p>')
      else response.writeHead(302, { location: '/', 'set-cookie': 'seen=1; Path=/' }).end()
    })
    expect(await outcomes(await crawled(await newBase(owner)))).toEqual({ '/': 'fetched' })
  })

  it('waits for Retry-After, and retries temporary failures', async () => {
    page('/', 'The site is busy today.', ['/busy', '/flaky', '/broken', '/gone'])
    let [busy, flaky] = [0, 0]
    site.pages.set('/busy', (response) =>
      busy++ === 0 ? response.writeHead(429, { 'retry-after': '1' }).end() : response.writeHead(200).end('<p>At last it answers.</p>'),
    )
    site.pages.set('/flaky', (response) =>
      flaky++ === 0 ? response.destroy() : response.writeHead(200).end('<p>The second time is better.</p>'),
    )
    site.pages.set('/broken', (response) => response.writeHead(500).end('broken'))
    const source = await crawled(await newBase(owner))
    expect(await outcomes(source)).toEqual({
      '/': 'fetched',
      '/busy': 'fetched',
      '/flaky': 'fetched',
      '/broken': 'failed fetch_failed',
      '/gone': 'failed not_found',
    })
    expect(asked().filter((path) => path === '/broken')).toHaveLength(3)
    expect(source.warnings).toEqual(['Pages that could not be read: 1.'])
  })

  it('reports unreadable pages', async () => {
    page('/', 'All sorts of things.', ['/app', '/empty', '/data', '/broken.pdf'])
    const answer = (path: string, body: string | Buffer) => site.pages.set(path, (response) => response.writeHead(200).end(body))
    answer('/app', '<!doctype html><html><body><div id="root"></div><script src="/app.js"></script></body></html>')
    answer('/empty', '<!doctype html><html><body></body></html>')
    answer('/data', Buffer.from([0, 1, 2, 3, 250, 251, 0, 0, 7, 7, 200, 0]))
    answer('/broken.pdf', '%PDF-1.7\n1 0 obj <<')
    const source = await crawled(await newBase(owner))
    expect(await outcomes(source)).toEqual({
      '/': 'fetched',
      '/app': 'skipped thin',
      '/empty': 'skipped empty_content',
      '/data': 'skipped unsupported_type',
      '/broken.pdf': 'failed corrupt_file',
    })
    expect(source.warnings[0]).toBe(
      `Pages left out because they show no text without a browser that runs scripts: 1, such as ${origin}/app. ${chromiumHint}`,
    )
  })

  it('obeys maxPages, include and exclude', async () => {
    page('/', 'The front page is only a way in.', ['/docs/a', '/docs/b', '/docs/c', '/docs/old/d', '/blog'])
    for (const path of ['/docs/a', '/docs/b', '/docs/c', '/docs/old/d', '/blog']) page(path, `The page ${path} in its own words.`)
    const base = await newBase(owner)
    const source = await crawled(base, { maxPages: 2, include: ['/docs/**'], exclude: ['/docs/old/*'] })
    expect(await outcomes(source)).toEqual({
      '/': 'skipped excluded',
      '/docs/a': 'fetched',
      '/docs/b': 'fetched',
      '/docs/c': 'skipped page_limit',
      '/docs/old/d': 'skipped excluded',
      '/blog': 'skipped excluded',
    })
    expect(source).toMatchObject({ pages: 2, maxPages: 2, warnings: [expect.stringMatching(/limit of pages.*: 1\./)] })
    const replace = { url: source.url, maxPages: 9, exclude: ['/docs/a'] }
    expect((await owner.call('POST', `/v1/bases/${base}/sources/${source.id}/replace`, replace)).status).toBe(202)
    expect(await settled(owner, source)).toMatchObject({ pages: 3, maxPages: 9, include: ['/docs/**'], exclude: ['/docs/a'], warnings: [] })
    expect(await outcomes(source)).toMatchObject({ '/docs/a': 'skipped excluded', '/docs/old/d': 'fetched', '/docs/c': 'fetched' })
    for (const [field, value] of [
      ['maxPages', 0],
      ['maxPages', 10_001],
      ['include', '/a'],
    ]) {
      const body = { name: 'S', type: 'scrape', url: origin, [field as string]: value }
      expect(await owner.call('POST', `/v1/bases/${base}/sources`, body)).toMatchObject({ status: 422, body: { error: { field } } })
    }
    for (const glob of ['/[ab]', '/{a}', '/{a,{b,c}}', '/a}', '!/a', '/+(a|b)', '/a\\b']) {
      const body = { name: 'S', type: 'scrape', url: origin, exclude: ['/fine', glob] }
      const issue = { field: 'exclude.1', message: expect.stringContaining('glob syntax') }
      expect(await owner.call('POST', `/v1/bases/${base}/sources`, body)).toMatchObject({
        status: 422,
        body: { error: { issues: [issue] } },
      })
    }
    const other = { name: 'S', type: 'url', url: origin, maxPages: 3 }
    expect(await owner.call('POST', `/v1/bases/${base}/sources`, other)).toMatchObject({
      status: 422,
      body: { error: { field: 'maxPages' } },
    })
  })

  it('takes alternatives in globs', async () => {
    page('/', 'The front page leads to three parts.', ['/docs/a', '/guide/b', '/blog/c', '/guide/d.txt'])
    for (const path of ['/docs/a', '/guide/b', '/blog/c', '/guide/d.txt']) page(path, `The page ${path} in its own words.`)
    const source = await crawled(await newBase(owner), { include: ['{/docs,guide}/**'], exclude: ['*.{txt,md}'] })
    expect(await outcomes(source)).toEqual({
      '/': 'skipped excluded',
      '/docs/a': 'fetched',
      '/guide/b': 'fetched',
      '/blog/c': 'skipped excluded',
      '/guide/d.txt': 'skipped excluded',
    })
  })

  it('stops in endless URL spaces', async () => {
    page('/', 'A calendar and a loop.', ['/calendar?day=1', '/loop/a/'])
    for (let day = -40; day < 40; day++)
      page(`/calendar?day=${day}`, `Nothing on day ${day}.`, [`/calendar?day=${day + 1}`, `/calendar?day=${day - 1}`])
    for (let depth = 1; depth < 40; depth++) page(`/loop/${'a/'.repeat(depth)}`, `Deeper: ${'and '.repeat(depth)} deeper.`, ['a/'])
    const source = await crawled(await newBase(owner))
    expect(source.status).toBe('completed')
    expect(asked().filter((path) => path.startsWith('/calendar')).length).toBeLessThan(10)
    expect(asked().filter((path) => path.startsWith('/loop')).length).toBeLessThan(10)
  })
})

/** Makes a path answer only after the returned function was called. */
function hold(path: string): () => void {
  const answers: (() => void)[] = []
  let open = false
  const answer = site.pages.get(path)
  site.pages.set(path, (response, request) => {
    if (open) answer?.(response, request)
    else answers.push(() => answer?.(response, request))
  })
  return () => {
    open = true
    for (const release of answers) release()
  }
}

const read = ({ baseId, id }: Source, part = '') => owner.call('GET', `/v1/bases/${baseId}/sources/${id}${part}`)

describe('a first crawl', () => {
  it('makes the pages that it has read searchable while it continues', async () => {
    page('/', 'The bicycle shop at the harbour.', ['/repairs'])
    page('/repairs', 'A puncture is mended while you wait.')
    const release = hold('/repairs')
    const base = await newBase(owner)
    const source = await add(base)
    const firstUrl = async () => (await search(base, 'bicycle harbour'))[0]?.url
    await expect.poll(firstUrl, { timeout: 60_000 }).toBe(`${origin}/`)
    const during = (await read(source)).body
    expect(during).toMatchObject({ status: 'processing', stage: 'fetching', pages: 1, chunksCount: 1, embeddingModel: embedder.model })
    expect((await owner.call('GET', `/v1/bases/${base}`)).body.stats).toMatchObject({ sources: 1, chunks: 1 })
    const { data } = (await read(source, '/chunks')).body
    expect(data).toEqual([
      expect.objectContaining({ ordinal: 0, pageId: expect.stringMatching(/^pag_/), pageUrl: `${origin}/`, pageTitle: 'The page' }),
    ])
    release()
    const done = await settled(owner, source)
    expect(done).toMatchObject({ status: 'completed', error: null, pages: 2, chunksCount: 2 })
    expect((await search(base, 'puncture bicycle')).map(({ url }) => url).toSorted()).toEqual([`${origin}/`, `${origin}/repairs`])
    expect((await read(source, '/chunks')).body.data.map((chunk: { pageUrl: string }) => chunk.pageUrl)).toEqual([
      `${origin}/`,
      `${origin}/repairs`,
    ])
    const left =
      'select 1 from source_part where source_id = $1 union all select 1 from source_page where source_id = $1 and part is not null'
    expect((await database.pool.query(left, [source.id.slice(4)])).rows).toEqual([])
  }, 120_000)

  it('that is cancelled is not searched, and a retry fetches only the pages that it lacks', async () => {
    page('/', 'The bicycle shop at the harbour.', ['/repairs', '/slow'])
    page('/repairs', 'A puncture is mended while you wait.')
    page('/slow', 'It takes its time.')
    const release = hold('/slow')
    const base = await newBase(owner)
    const source = await add(base)
    await expect.poll(async () => (await search(base, 'bicycle')).length, { timeout: 60_000 }).toBeGreaterThan(0)
    await expect.poll(async () => (await pagesOf(source))['/repairs']?.status, { timeout: 60_000 }).toBe('fetched')
    const path = `/v1/bases/${base}/sources/${source.id}`
    expect((await owner.call('POST', `${path}/cancel`)).body).toMatchObject({ status: 'failed', errorCode: 'cancelled', chunksCount: 0 })
    expect(await search(base, 'bicycle')).toEqual([])
    expect((await read(source, '/chunks')).body.data).toEqual([])
    release()
    site.requests.length = 0
    expect((await owner.call('POST', `${path}/retry`)).status).toBe(200)
    expect(await settled(owner, source)).toMatchObject({ status: 'completed', error: null, pages: 3, chunksCount: 3 })
    expect(asked().toSorted()).toEqual(['/robots.txt', '/sitemap.xml', '/slow'])
    expect(await outcomes(source)).toEqual({ '/': 'fetched', '/repairs': 'fetched', '/slow': 'fetched' })
  }, 120_000)

  it('goes on when pages cannot be embedded for a while', async () => {
    page('/', 'The bicycle shop at the harbour.', ['/repairs'])
    page('/repairs', 'A puncture is mended while you wait.')
    const release = hold('/repairs')
    let failures = 0
    embedder.before = async () => {
      if (failures++ === 0) throw new SourceError('embedding_failed', 'not now')
    }
    const base = await newBase(owner)
    const source = await add(base)
    await expect.poll(() => failures, { timeout: 60_000 }).toBe(1)
    release()
    expect(await settled(owner, source)).toMatchObject({ status: 'completed', error: null, pages: 2, chunksCount: 2 })
    embedder.before = async () => undefined
  }, 120_000)

  it('is deleted with its searchable pages', async () => {
    page('/', 'The bicycle shop at the harbour.', ['/repairs'])
    page('/repairs', 'A puncture is mended while you wait.')
    const release = hold('/repairs')
    const base = await newBase(owner)
    const source = await add(base)
    await expect.poll(async () => (await search(base, 'bicycle')).length, { timeout: 60_000 }).toBe(1)
    expect((await owner.call('DELETE', `/v1/bases/${base}/sources/${source.id}`)).status).toBe(204)
    expect(await search(base, 'bicycle')).toEqual([])
    release()
    for (const table of ['source_part', 'index_generation', 'chunk'])
      expect((await database.pool.query(`select 1 from ${table} where source_id = $1`, [source.id.slice(4)])).rows).toEqual([])
  }, 120_000)
})

describe('a site that cannot be read', () => {
  it.each([
    ['forbids it', () => robots('User-agent: *\nDisallow: /'), 'robots_disallowed'],
    ['has no such page', () => undefined, 'not_found'],
    ['asks not to be indexed', () => page('/', 'No.', [], { head: '<meta name="robots" content="noindex">' }), 'empty_content'],
    ['answers with failures', () => site.pages.set('/', (response) => response.writeHead(403).end()), 'fetch_failed'],
    [
      'leads elsewhere',
      () => site.pages.set('/', (response) => response.writeHead(301, { location: 'http://example.com/' }).end()),
      'fetch_failed',
    ],
  ])('fails when it %s', async (_what, prepare, errorCode) => {
    prepare()
    const source = await crawled(await newBase(owner))
    expect(source).toMatchObject({ status: 'failed', errorCode, error: expect.stringMatching(/\w{3}/), chunksCount: 0 })
  })

  it('has a robots.txt that fails permanently', async () => {
    page('/', 'Behind a robots.txt that cannot be read.')
    let failures = 1
    site.pages.set('/robots.txt', (response) => response.writeHead(failures-- > 0 ? 503 : 200).end('User-agent: *\nCrawl-delay: 0'))
    expect(await crawled(await newBase(owner))).toMatchObject({ status: 'completed', pages: 1 })
    failures = Infinity
    site.requests.length = 0
    const turns = { take: async () => 0, rest: async () => undefined }
    const hosts = createHosts({ fetch: (url, asking) => outbound.fetch(url, asking), turns, signal: new AbortController().signal })
    const reason = { code: 'fetch_failed', retryable: true, message: expect.stringContaining('503') }
    await expect(hosts.ask(new URL(origin), { maxBytes: 1, timeoutMs: 1 })).rejects.toMatchObject(reason)
    expect(asked()).toEqual(['/robots.txt', '/robots.txt', '/robots.txt'])
  })

  it('is read without its failing origin', async () => {
    page('/', 'By http alone.', [`https://${site.host}/secure`, '/a'])
    page('/a', 'Another page by http.')
    const source = await crawled(await newBase(owner))
    expect(source).toMatchObject({ status: 'completed', pages: 2 })
    expect((await pagesOf(source))[`https://${site.host}/secure`]).toMatchObject({ status: 'skipped', reason: 'robots_disallowed' })
  }, 120_000)

  it('fails without a request if its name resolves to a private address', async () => {
    const base = await newBase(owner)
    const { body } = await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'S', type: 'scrape', url: 'http://private.example/' })
    expect(await settled(owner, body)).toMatchObject({ status: 'failed', errorCode: 'blocked_address' })
  })
})

describe('a sync', () => {
  it('sends conditional requests, embeds only changed text, and removes missing pages', async () => {
    const etag = (path: string, sentence: string, links: string[] = []) => {
      page(path, sentence, links, { headers: { etag: `"${sentence.length}"` } })
      const full = site.pages.get(path)
      site.pages.set(path, (response, request) =>
        request.headers['if-none-match'] === `"${sentence.length}"` ? response.writeHead(304).end() : full?.(response, request),
      )
    }
    etag('/', 'The front page has three links.', ['/stays', '/changes', '/goes'])
    etag('/stays', 'This page stays as it is.')
    etag('/changes', 'This page will be another.')
    etag('/goes', 'This page will be gone.')
    const base = await newBase(owner)
    const first = await crawled(base)
    expect(first).toMatchObject({ status: 'completed', pages: 4 })
    const chunkIds = async () => (await search(base, 'page')).map((hit) => (hit as unknown as { chunkId: string }).chunkId).toSorted()
    const before = await chunkIds()

    site.requests.length = 0
    embedder.passages.length = 0
    const same = await synced(first)
    expect(same).toMatchObject({ status: 'completed', error: null, pages: 4 })
    expect(Object.values(await outcomes(same))).toEqual(Array.from({ length: 4 }, () => 'unchanged'))
    const pageRequests = site.requests.filter(({ path }) => path !== '/robots.txt' && path !== '/sitemap.xml')
    expect(pageRequests.length).toBe(4)
    for (const { headers } of pageRequests) expect(headers['if-none-match']).toBeDefined()
    expect(embedder.passages).toEqual([])
    expect(await chunkIds()).toEqual(before)

    etag('/changes', 'This page has become quite another one.')
    site.pages.delete('/goes')
    const changed = await synced(first)
    expect(changed).toMatchObject({ status: 'completed', pages: 3 })
    expect(await outcomes(changed)).toEqual({ '/': 'unchanged', '/stays': 'unchanged', '/changes': 'fetched', '/goes': 'failed not_found' })
    expect(embedder.passages).toEqual([expect.stringContaining('quite another')])
    const texts = (await search(base, 'page')).map(({ text }) => text).join('\n')
    expect(texts).toContain('quite another')
    expect(texts).not.toContain('will be')
  })

  it('runs on its schedule', async () => {
    page('/', 'The first words of the page.')
    const base = await newBase(owner)
    const first = await crawled(base, { syncSchedule: 'hourly' })
    page('/', 'The second words of the page.')
    await endDelays(database, syncSourceWork.name)
    await expect.poll(async () => (await search(base, 'words'))[0]?.text, { timeout: 60_000 }).toContain('second words')
    expect(await settled(owner, first)).toMatchObject({ status: 'completed', syncSchedule: 'hourly', pages: 1 })
  }, 120_000)

  it('keeps a page that now fails and the pages below it', async () => {
    page('/', 'A front page.', ['/hub'])
    page('/hub', 'The hub leads on.', ['/behind'])
    page('/behind', 'The page behind the hub.')
    const base = await newBase(owner)
    const first = await crawled(base)
    site.pages.set('/hub', (response) => response.writeHead(500).end())
    const again = await synced(first)
    expect(again).toMatchObject({ status: 'completed', pages: 3, warnings: [expect.stringContaining('still answers')] })
    expect(await outcomes(again)).toEqual({ '/': 'unchanged', '/hub': 'failed fetch_failed', '/behind': 'unchanged' })
    expect((await search(base, 'hub')).map(({ text }) => text)).toContainEqual(expect.stringContaining('leads on'))
  })

  it('keeps everything and reports it if the site is down', async () => {
    page('/', 'It stood here yesterday.', ['/a'])
    page('/a', 'And this as well.')
    const base = await newBase(owner)
    const first = await crawled(base)
    for (const path of ['/', '/a']) site.pages.set(path, (response) => response.writeHead(500).end())
    expect(await synced(first)).toMatchObject({ status: 'completed', errorCode: 'fetch_failed', chunksCount: first.chunksCount })
    expect(await search(base, 'yesterday')).not.toEqual([])
  })
})

describe('the pages of a source', () => {
  it('are listed in the order of the crawl and by status, also after another attempt', async () => {
    const paths = ['/k', '/b', '/z', '/missing', '/a', '/q', '/m', '/c']
    page('/', 'Where it begins.', paths)
    for (const path of paths) if (path !== '/missing') page(path, `The words of ${path}.`, path === '/b' ? ['/y', '/d'] : [])
    for (const path of ['/y', '/d']) page(path, `The words of ${path}.`)
    const source = await crawled(await newBase(owner))
    expect(await inPages(source)).toEqual(['/', ...paths, '/y', '/d'])
    expect(await inPages(await synced(source))).toEqual(['/', ...paths, '/y', '/d'])
    expect(Object.keys(await pagesOf(source, '&status=failed'))).toEqual(['/missing'])
  })

  /** Returns the paths of the list, read two by two. */
  async function inPages(source: Source): Promise<string[]> {
    const path = `/v1/bases/${source.baseId}/sources/${source.id}/pages`
    const urls: string[] = []
    let cursor = ''
    do {
      const { body } = await owner.call('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(body.data.length).toBeLessThanOrEqual(2)
      urls.push(...body.data.map(({ url }: SourcePage) => url))
      cursor = body.nextCursor ?? ''
    } while (cursor !== '')
    return urls.map((url) => url.replace(origin, ''))
  }

  it('are deleted with the source, and so are their files', async () => {
    page('/', 'Deleted in a moment.', ['/a'])
    page('/a', 'This one as well.')
    const base = await newBase(owner)
    const source = await crawled(base)
    const { rows } = await database.pool.query<{ content_key: string }>('select content_key from source_page where source_id = $1', [
      source.id.slice(4),
    ])
    expect(rows).toHaveLength(2)
    await owner.call('DELETE', `/v1/bases/${base}/sources/${source.id}`)
    expect((await database.pool.query('select 1 from source_page where source_id = $1', [source.id.slice(4)])).rows).toEqual([])
    await expect
      .poll(() => Promise.all(rows.map(({ content_key }) => platform.storage.exists(content_key))), { timeout: 120_000 })
      .toEqual([false, false])
  })
})
