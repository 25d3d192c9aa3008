import type { Source, SourcePage } from '@groundwork/api'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { evaluationPath } from '../../testing/evaluation-data.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { newBase, settled } from '../../testing/sources.ts'
import { manualPaths, startTrapSite } from '../../testing/trap-site.ts'

interface Hit {
  t: number
  method: string
  url: string
  ua: string
  cond?: string
}

async function freeHost(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  return `127.0.0.1:${port}`
}

/** A site with ordinary pages and traps. */
interface TrapSite {
  readonly name: string
  /** Starts it on a port, and returns a function that stops it. */
  readonly start: (port: number) => Promise<() => void>
  /** Paths of the ordinary pages. */
  readonly paths: readonly string[]
}

const generated: TrapSite = { name: 'of generated manuals', start: startTrapSite, paths: manualPaths }

/** Real manuals of the evaluation data. */
function publishedSite(peer: string, root: string): TrapSite {
  return {
    name: 'of real manuals (bin/site_peer.mjs)',
    start: async (port) => {
      const site = spawn(process.execPath, [peer, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(site.stdout, 'data')
      return () => void site.kill()
    },
    paths: readdirSync(root)
      .filter((manual) => manual.includes('-') || manual === 'policy')
      .flatMap((manual) =>
        readdirSync(join(root, manual))
          .filter((name) => name.endsWith('.html') && !/^(?:search|genindex)\.html$/.test(name))
          .map((name) => `/${manual}/${name}`),
      ),
  }
}

/** A folder and its index are one page. */
const pathOf = (url: string): string => new URL(url, 'http://x').pathname.replace(/\/index\.html$/, '/')

const host = await freeHost()
const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [host], userAgent: 'Groundwork/test' })
const { organization } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()

const [peer, manuals] = [evaluationPath('bin/site_peer.mjs'), evaluationPath('sites')]
const published = peer === null || manuals === null ? [] : [publishedSite(peer, manuals)]

describe.each([generated, ...published])('a site $name with traps', ({ start, paths: real }) => {
  const log = async (): Promise<Hit[]> => (await fetch(`http://${host}/__log`)).json() as Promise<Hit[]>
  const pagesOf = async (source: Source): Promise<SourcePage[]> => {
    const pages: SourcePage[] = []
    let cursor = ''
    do {
      const path = `/v1/bases/${source.baseId}/sources/${source.id}/pages?limit=100`
      const { body } = await owner.call('GET', path + (cursor && `&cursor=${cursor}`))
      pages.push(...body.data)
      cursor = body.nextCursor ?? ''
    } while (cursor !== '')
    return pages
  }
  const texts = async (base: string, query: string): Promise<string> => {
    const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query, topK: 100 })
    return JSON.stringify(body.data)
  }

  it('is crawled correctly and then synced with conditional requests', async () => {
    onTestFinished(await start(Number(new URL(`http://${host}`).port)))
    const base = await newBase(owner)
    const { body } = await owner.call('POST', `/v1/bases/${base}/sources`, {
      name: 'Peer',
      type: 'scrape',
      url: `http://${host}/`,
      maxPages: 200,
    })
    const source = await settled(owner, body)
    expect(source).toMatchObject({ status: 'completed', error: null })
    const hits = await log()
    const pages = await pagesOf(source)
    const outcome = (path: string) => pages.find(({ url }) => url === `http://${host}${path}`)
    const countOf = (path: string): number => hits.filter(({ url }) => url === path).length

    // Every real page once.
    expect(real.length).toBeGreaterThan(30)
    for (const path of real) {
      expect([path, hits.filter(({ url }) => pathOf(url) === pathOf(path) && !url.includes('?')).length]).toEqual([path, 1])
      const page = pages.find(({ url }) => pathOf(url) === pathOf(path))
      expect([path, page?.status, (page?.chunks ?? 0) > 0]).toEqual([path, 'fetched', true])
    }

    // Nothing that robots.txt or the pages themselves forbid.
    expect(hits.filter(({ url }) => url.startsWith('/private/') || url.startsWith('/traps/calendar/deep'))).toEqual([])
    expect(outcome('/private/secret.html')).toMatchObject({ status: 'skipped', reason: 'robots_disallowed' })
    expect(outcome('/traps/noindex')).toMatchObject({ status: 'skipped', reason: 'noindex' })
    expect(countOf('/traps/nofollow')).toBe(0)
    const all = (await texts(base, 'canary')) + (await texts(base, 'no index nofollow secret'))
    for (const canary of ['canary-PRIVATE-5521', 'canary-NOINDEX', 'canary-NOFOLLOW']) expect(all).not.toContain(canary)

    // No space without end, no other host.
    expect(hits.filter(({ url }) => url.startsWith('/traps/calendar')).length).toBeLessThan(10)
    expect(outcome('/traps/redirect-metadata')).toMatchObject({ status: 'skipped', reason: 'off_site' })
    expect(outcome('/traps/redirect-file')).toMatchObject({ status: 'skipped', reason: 'off_site' })
    expect(pages.every(({ url }) => new URL(url).host === host)).toBe(true)

    expect(outcome('/traps/slow')).toMatchObject({ status: 'failed', reason: 'timeout' })
    expect(outcome('/traps/huge')).toMatchObject({ status: 'failed', reason: 'too_large' })
    expect(outcome('/traps/gzip-bomb')).toMatchObject({ status: 'failed', reason: 'too_large' })
    const patient = hits.filter(({ url }) => url === '/traps/429')
    expect(patient).toHaveLength(3)
    expect(patient.slice(1).every(({ t }, at) => t - (patient[at]?.t ?? t) >= 990)).toBe(true)
    expect(await texts(base, 'reached after waiting')).toContain('canary-429-OK')
    const duplicates = pages.filter(({ url }) => url.includes('/traps/dup'))
    expect(duplicates.filter(({ status }) => status === 'fetched')).toMatchObject([{ url: `http://${host}/traps/dup` }])
    expect(await texts(base, 'Привет мир')).toContain('Привет мир')
    expect(outcome('/traps/report.pdf')).toMatchObject({ status: 'fetched' })
    expect(outcome('/traps/js-only')).toMatchObject({ status: 'skipped', reason: 'thin' })
    expect(outcome('/traps/meta-refresh')).toMatchObject({ status: 'skipped', reason: 'redirect' })
    expect(outcome('/traps/500')).toMatchObject({ status: 'failed', reason: 'fetch_failed', httpStatus: 500 })
    expect(outcome('/traps/404')).toMatchObject({ status: 'failed', reason: 'not_found', httpStatus: 404 })
    expect(outcome('/traps/truncated')).toMatchObject({ status: 'failed', reason: 'fetch_failed' })
    expect(outcome('/traps/no-type')).toMatchObject({ status: 'fetched' })
    expect(outcome('/traps/big-headers')).toMatchObject({ status: 'fetched' })

    // The Crawl-delay of robots.txt, a tenth of a second.
    expect((hits.at(-1)?.t ?? 0) - (hits[0]?.t ?? 0)).toBeGreaterThanOrEqual((hits.length - 2) * 100)

    // The sync sends conditional requests for pages with an ETag and embeds nothing.
    embedder.passages.length = 0
    expect((await owner.call('POST', `/v1/bases/${base}/sources/${source.id}/sync`)).status).toBe(202)
    const again = await settled(owner, source)
    expect(again).toMatchObject({ status: 'completed', error: null, chunksCount: source.chunksCount })
    const second = (await log()).slice(hits.length)
    for (const path of [...real, '/traps/etag']) {
      const requests = second.filter(({ url }) => pathOf(url) === pathOf(path) && !url.includes('?'))
      expect([path, requests.map(({ cond }) => cond !== undefined)]).toEqual([path, [true]])
    }
    expect(embedder.passages).toEqual([])
    const statuses = new Set((await pagesOf(source)).filter(({ chunks }) => chunks > 0).map(({ status }) => status))
    expect([...statuses]).toEqual(['unchanged'])
  }, 400_000)
})
