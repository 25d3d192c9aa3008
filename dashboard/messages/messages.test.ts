import { expect, test } from 'vitest'
import { counted } from './messages.ts'

test('selects the plural form of a number', () => {
  const sources = counted('en')({ one: '# source', other: '# sources' })
  expect([0, 1, 2, 1200].map(sources)).toEqual(['0 sources', '1 source', '2 sources', '1,200 sources'])
})
