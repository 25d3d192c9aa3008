import { describe, expect, it } from 'vitest'
import { linkTarget, pageKey, pageShape } from './address.ts'
import { isAsset, isEndless, siteOf } from './site.ts'

const base = 'https://example.com/docs/intro'
const url = (href: string): URL => new URL(href, base)

describe('linkTarget', () => {
  it.each([
    ['../a#part', 'https://example.com/a'],
    ['?b=1&utm_source=x&fbclid=y&a=2', 'https://example.com/docs/intro?b=1&a=2'],
    ['/x;jsessionid=0A1B?PHPSESSID=1', 'https://example.com/x'],
    ['/x?sid=0123456789abcdef0123', 'https://example.com/x'],
    ['/story?sid=12', 'https://example.com/story?sid=12'],
    ['//other.example/a', 'https://other.example/a'],
    ['http://example.com:80/a', 'http://example.com/a'],
  ])('%s resolves to %s', (href, target) => expect(linkTarget(href, base)?.href).toBe(target))

  it.each([
    'mailto:a@example.com',
    'javascript:void(0)',
    'file:///etc/passwd',
    'https://user:word@example.com/',
    'http://[',
    `/${'x'.repeat(2000)}`,
  ])('%s is not a link target', (href) => expect(linkTarget(href, base)).toBeNull())
})

describe('pageKey', () => {
  it.each([
    ['http://www.example.com/a/', 'https://example.com/a'],
    ['/a/index.html', '/a/'],
    ['/', '/index.htm'],
    ['/?b=2&a=1', '/?a=1&b=2'],
    ['/%7euser/%c3%a4', '/~user/%C3%A4'],
    ['/a?', '/a'],
  ])('is the same for %s and %s', (one, other) => expect(pageKey(url(one))).toBe(pageKey(url(other))))

  it.each([
    ['/a', '/A'],
    ['/a?b=1', '/a?b=2'],
    ['/a%2fb', '/a/b'],
    ['/index.html/a', '/a'],
  ])('differs for %s and %s', (one, other) => expect(pageKey(url(one))).not.toBe(pageKey(url(other))))
})

it('pageShape omits numbers and values', () => {
  expect(pageShape(url('/2024/05?day=7&view=a'))).toBe(pageShape(url('/1999/12?view=b&day=31')))
  expect(pageShape(url('/2024/05?day=7'))).not.toBe(pageShape(url('/2024/05?page=7')))
})

describe('a site', () => {
  const site = siteOf(url('/'), { include: [], exclude: ['/private/**', '*.pdf', 'https://example.com/a?*'] })
  it.each([
    ['http://www.example.com/', true],
    ['https://example.com./a', true],
    ['https://docs.example.com/', false],
    ['https://example.com:8443/', false],
    ['https://example.com.attacker.example/', false],
  ])('of example.com contains %s: %s', (href, contained) => expect(site.contains(url(href))).toBe(contained))

  it.each([
    ['/private/a/b', true],
    ['/privat', false],
    ['/manual.pdf', true],
    ['/a?b=1', true],
    ['/a', false],
  ])('excludes %s: %s', (href, excluded) => expect(site.excludes(url(href))).toBe(excluded))
})

it('recognizes URLs of assets and endless URLs', () => {
  expect(['/a.PNG', '/style.css', '/feed.xml', '/a.html', '/manual.pdf', '/v1.2', '/'].map((path) => isAsset(url(path)))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  expect(isEndless(url('/a/b/a/b/a/b'))).toBe(true)
  expect(isEndless(url('/x/x/x'))).toBe(true)
  expect(isEndless(url(`/${'a/b/c/d/e/f/g/h/'.repeat(3)}`))).toBe(true)
  expect(isEndless(url('/2024/05/05/some-news'))).toBe(false)
})
