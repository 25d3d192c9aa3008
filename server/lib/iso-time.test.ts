import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isoTime } from './iso-time.ts'

it('returns the text of toISOString', () => {
  fc.assert(fc.property(fc.date({ noInvalidDate: true }), (date) => isoTime(date) === date.toISOString()))
  for (const ms of [0, -1, 1, 86_399_999, 86_400_000, -86_400_001]) expect(isoTime(new Date(ms))).toBe(new Date(ms).toISOString())
  expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError)
})
