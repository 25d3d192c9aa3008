import { errorStatus } from '@groundwork/api'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readGuides } from './guides.ts'
import { guidePage } from './page.ts'
import { renderGuide } from './render.ts'
import { searchGuides } from './search.ts'

const guides = await readGuides()
const render = (markdown: string): string =>
  renderGuide(
    markdown,
    'docs/a.md',
    new Map([
      ['docs/b.md', 'b'],
      ['README.md', ''],
    ]),
  ).html

describe('guides', () => {
  it('have a title, and are in the list of the README or linked from a guide', () => {
    const html = [...guides.bySlug.values()].map((guide) => guide.html).join('')
    const listed = new Set(guides.groups.flatMap((group) => group.guides.map(({ slug }) => slug)))
    for (const { slug, title } of guides.bySlug.values()) {
      expect([slug, title]).toEqual([slug, expect.stringMatching(/\S/)])
      expect([slug, slug === '' || listed.has(slug) || html.includes(`href="/docs/${slug}`)]).toEqual([slug, true])
    }
    expect(guides.groups.map(({ title }) => title)).toEqual(expect.arrayContaining(['Use the API', 'Operate Groundwork']))
  })

  it('have no broken links among each other', () => {
    for (const { slug, html } of guides.bySlug.values()) {
      for (const [, href = ''] of html.matchAll(/href="(\/docs[^"]*|#[^"]*)"/g)) {
        const [path = '', id] = href.split('#', 2)
        const target = guides.bySlug.get(path === '' ? slug : path.replace(/^\/docs\/?/, ''))
        if (target === undefined) expect([slug, href]).toEqual([slug, expect.stringMatching(/^\/docs\/reference/)])
        else if (id !== undefined) expect([slug, href, target.html.includes(`id="${id}"`)]).toEqual([slug, href, true])
      }
      expect([slug, /href="(?!https?:|mailto:|\/|#)/.test(html)]).toEqual([slug, false])
    }
  })

  it('load nothing from other hosts', () => {
    for (const guide of guides.bySlug.values()) {
      const page = guidePage(guides, guide)
      for (const [, url = ''] of page.matchAll(/<(?:script|img|link)[^>]*(?:src|href)="([^"]*)"/g)) expect(url).toMatch(/^\/docs\//)
      expect(page).not.toMatch(/<script>|style="|<!--/)
    }
  })

  it('keep links to guides, and the text of links to other files', () => {
    expect(render('[one](b.md#x) [two](../README.md) [three](../server/main.ts) [four](https://example.com/)')).toBe(
      '<p><a href="/docs/b#x">one</a> <a href="/docs">two</a> <span>three</span> <a href="https://example.com/" rel="noreferrer">four</a></p>\n',
    )
  })

  it('escape HTML, and number equal headings as GitHub does', () => {
    expect(render('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n')
    expect(render('```\n<b>\n```')).toContain('&lt;b&gt;')
    expect(render('## `If-Match`, again\n## `If-Match`, again')).toMatch(/id="if-match-again".*id="if-match-again-1"/s)
  })
})

describe('the search of guides', () => {
  const found = (query: string): string[] => searchGuides(guides.bySlug.values(), query).map(({ slug, id }) => `${slug}#${id}`)

  it('finds sections by their headings and their text', () => {
    expect(found('idempotency')[0]).toBe('retries#idempotency')
    expect(found('vapi knowledge base')[0]).toMatch(/^agents#/)
    expect(found('TRUSTED_PROXIES').length).toBeGreaterThan(0)
    expect(found('request log')[0]).toMatch(/^requests#/)
  })

  it('finds nothing for unknown words, and no words', () => {
    for (const query of ['', '  ', '…', 'zzyzx', 'idempotency zzyzx']) expect(found(query)).toEqual([])
  })
})

it('the guide to errors has the status of each code', async () => {
  const guide = await readFile(new URL('../../docs/retries.md', import.meta.url), 'utf8')
  const rows = [...guide.matchAll(/^\| `(\w+)` +\| (\d{3}) +\|/gm)].map(([, code = '', status]) => [code, Number(status)] as const)
  expect(Object.fromEntries(rows)).toEqual(errorStatus)
})
