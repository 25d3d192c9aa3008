import { expect, it } from 'vitest'
import { canonicalAddress } from './page.ts'

const page = 'https://www.example.com/shop/lamp?colour=red'

it.each([
  ['none', null, null, page],
  ['of its own site', null, 'https://example.com/lamp', 'https://example.com/lamp'],
  ['relative to the page', null, 'lamp', 'https://www.example.com/shop/lamp'],
  ['relative to its base', '/sale/', 'lamp', 'https://www.example.com/sale/lamp'],
  ['with tracking and a fragment', null, '/lamp?utm_source=x#top', 'https://www.example.com/lamp'],
  ['of another site', null, 'https://example.net/lamp', page],
  ['of another port', null, 'https://www.example.com:8443/lamp', page],
  ['that is the front page', null, 'https://www.example.com/', page],
  ['that is no web address', null, 'javascript:alert(1)', page],
  ['that is nonsense', null, 'https://[', page],
])('a canonical URL %s', (_case, base, canonical, address) => expect(canonicalAddress(page, base, canonical)).toBe(address))

it('of a front page is the front page', () =>
  expect(canonicalAddress('https://example.com/?ref=1', null, '/')).toBe('https://example.com/'))
