import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowerBound } from './lower-bound.ts'

test('is the same as in a linear search, or the length of the list', () => {
  const number = fc.integer({ min: -20, max: 20 })
  fc.assert(
    fc.property(fc.array(number), number, (numbers, value) => {
      const ascending = Int32Array.from(numbers).toSorted()
      const found = ascending.findIndex((one) => one >= value)
      expect(lowerBound(ascending, value)).toBe(found < 0 ? ascending.length : found)
    }),
  )
})
