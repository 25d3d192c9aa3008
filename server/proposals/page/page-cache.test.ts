import { expect, it } from 'vitest'
import { createPageCache, type CachedPage } from './page-cache.ts'

const page = (bytes: number): CachedPage => ({ html: 'x'.repeat(bytes / 2), rows: '1', from: 100, until: 200 })

it('returns a page only at the times at which it is valid', () => {
  const cache = createPageCache(10_000)
  const first = page(10)
  cache.set('a', first)
  expect([100, 199].map((nowMs) => cache.get('a', nowMs))).toEqual([first, first])
  expect(cache.get('a', 200)).toBeUndefined()
  cache.set('a', first)
  expect(cache.get('a', 99)).toBeUndefined()
  expect(cache.get('b', 150)).toBeUndefined()
})

it('drops the pages used least recently beyond its size', () => {
  const cache = createPageCache(10_000)
  for (const key of ['a', 'b', 'c']) cache.set(key, page(2000))
  cache.get('a', 150)
  cache.set('d', page(2000))
  const kept = (): string[] => ['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key, 150) !== undefined)
  expect(kept()).toEqual(['a', 'c', 'd'])
  cache.set('e', page(9002))
  expect(kept()).toEqual(['a', 'c', 'd'])
  cache.set('e', page(9000))
  expect(kept()).toEqual(['e'])
})

it('counts a replaced page once', () => {
  const cache = createPageCache(10_000)
  cache.set('a', page(2000))
  for (let count = 0; count < 10; count += 1) cache.set('b', page(2000))
  expect(cache.get('a', 150)).toBeDefined()
})
