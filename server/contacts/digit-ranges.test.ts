import { describe, expect, it } from 'vitest'
import { digitRanges } from './digit-ranges.ts'

/** Returns the ranges that a number is in, as `facet_ranges` in the database does. */
function rangesOf(value: number): string[] {
  const digits = String(Math.trunc(Math.abs(value)))
  return Array.from({ length: digits.length + 1 }, (_, kept) => `<${value < 0 ? '-' : '+'}${digits.length}:${digits.slice(0, kept)}`)
}

describe('digitRanges', () => {
  it('covers a range by numbers with common first digits', () => {
    expect(digitRanges(500, 502)).toEqual(['<+3:500', '<+3:501', '<+3:502'])
    expect(digitRanges(12_000, 12_999)).toEqual(['<+5:12'])
    expect(digitRanges(-3, 1)).toEqual(['<+1:0', '<+1:1', '<-1:0', '<-1:1', '<-1:2', '<-1:3'])
    expect(digitRanges(10, Infinity)).toHaveLength(15)
    expect(digitRanges(2, 1)).toEqual([])
  })

  it('has a range of each number within the bounds, and only of numbers that differ by less than one from them', () => {
    const values = [-12_345, -1000, -999.5, -10, -1, -0.5, 0, 0.5, 1, 9, 10, 99, 100.25, 4999, 5000, 123_456, 9_007_199_254_740_991]
    const wrong: unknown[] = []
    for (const min of [-Infinity, ...values]) {
      for (const max of [...values, Infinity]) {
        const covered = new Set(digitRanges(min, max))
        for (const value of values) {
          const isFound = rangesOf(value).some((range) => covered.has(range))
          const isWithin = value >= min && value <= max
          if (isWithin ? !isFound : isFound && (value <= min - 1 || value >= max + 1)) wrong.push([min, max, value])
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
