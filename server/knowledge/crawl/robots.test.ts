import { describe, expect, it } from 'vitest'
import { parseRobots, robotsOf } from './robots.ts'

const allows = (text: string, path: string): boolean => parseRobots(text, 'groundwork').allows(new URL(path, 'https://example.com'))

describe('rules', () => {
  it.each([
    ['Disallow: /a', '/a/b', false],
    ['Disallow: /a', '/b', true],
    ['Disallow:', '/a', true],
    ['Disallow: /\nAllow: /public', '/public/x', true],
    ['Allow: /a\nDisallow: /a', '/a', true],
    ['Disallow: /*.pdf$', '/x/y.pdf', false],
    ['Disallow: /*.pdf$', '/x/y.pdf?z', true],
    ['Disallow: /*?session=', '/a?session=1', false],
    ['Disallow: /a*b*c', '/a-c-b', true],
    ['Disallow: /a*b*c', '/a-b-c', false],
    ['Disallow: /ä', '/%C3%A4/x', false],
    ['Disallow: /%7euser # with a comment', '/%7Euser', false],
    ['disallow : /a', '/a', false],
    ['Disallow: /', '/robots.txt', true],
  ])('%s: %s is allowed: %s', (rules, path, allowed) => expect(allows(`User-agent: *\n${rules}`, path)).toBe(allowed))

  it('come from the groups for the crawler, or else from the group for all', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-Agent: other\nUser-agent: Groundwork/1.0\nDisallow: /a\n\nuser-agent: groundwork\nDisallow: /b'
    expect(['/a', '/b', '/c'].map((path) => allows(text, path))).toEqual([false, false, true])
    expect(allows('\uFEFFUser-agent: other\nDisallow: /', '/')).toBe(true)
  })

  it('of any length and number of wildcards match quickly', () => {
    const text = `User-agent: *\nDisallow: /${'*a'.repeat(900)}b\n`.repeat(250)
    expect(allows(text, `/${'a'.repeat(1900)}`)).toBe(true)
  })
})

it('Crawl-delay is in seconds and limited; Sitemap applies to every crawler', () => {
  const robots = parseRobots('Sitemap: https://example.com/a.xml\nUser-agent: *\nCrawl-delay: 1.5\nSitemap: /b.xml # b', 'groundwork')
  expect([robots.crawlDelayMs, robots.sitemaps]).toEqual([1500, ['https://example.com/a.xml', '/b.xml']])
  expect(parseRobots('User-agent: *\nCrawl-delay: 86400', 'groundwork').crawlDelayMs).toBe(60_000)
  expect(parseRobots('User-agent: *\nCrawl-delay: soon', 'groundwork').crawlDelayMs).toBeNull()
})

it.each([
  [200, false],
  [404, true],
  [403, true],
  [500, null],
  [503, null],
  [429, null],
])('a reply with status %s means: allowed %s', (status, allowed) => {
  const robots = robotsOf({ status, body: Buffer.from('User-agent: *\nDisallow: /') }, 'groundwork')
  expect(robots && robots.allows(new URL('https://example.com/a'))).toBe(allowed)
})
