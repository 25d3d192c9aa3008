import { expect, it } from 'vitest'
import { mergeDuplicates, type MergePage } from './merge.ts'

const page = (id: string, textHash: string, canonical: string | null = null, title = 'T'): MergePage => ({
  id,
  key: `/${id}`,
  url: `https://example.com/${id}`,
  title,
  canonicalUrl: canonical && `https://example.com/${canonical}`,
  textHash,
})

const merged = (...pages: MergePage[]) => Object.fromEntries([...mergeDuplicates(pages)].map(([id, { id: other }]) => [id, other]))

it('keeps the nearest of the pages with the same text', () => {
  expect(merged(page('a', '1'), page('b', '2'), page('c', '1'), page('d', '1'))).toEqual({ c: 'a', d: 'a' })
})

it('follows chains of canonical URLs, and keeps one page of a cycle', () => {
  expect(merged(page('a', '1', 'b'), page('b', '2', 'c'), page('c', '3'))).toEqual({ a: 'c', b: 'c' })
  expect(Object.keys(merged(page('a', '1', 'b'), page('b', '2', 'c'), page('c', '3', 'a')))).toHaveLength(2)
  expect(merged(page('a', '1', 'a'), page('b', '2', 'elsewhere'))).toEqual({})
})

it('ignores a canonical URL with another title and path', () => {
  expect(merged(page('a', '1', null, 'Front'), page('b', '2', 'a', 'Other'))).toEqual({})
})
