import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideHalfUp, formatAmount, formatDecimal, parseAmount, parseDecimal, shortestDecimal } from './money.ts'

describe('decimals', () => {
  it.each([
    ['0', 2, 0n],
    ['1200.5', 2, 120050n],
    ['007', 3, 7000n],
    ['999999999999.99', 2, 99999999999999n],
    ['9007199254740993.01', 2, 900719925474099301n],
  ])('%s with %i decimals is %s', (decimal, decimals, scaled) => {
    expect(parseDecimal(decimal, decimals)).toBe(scaled)
  })

  it.each(['', '.5', '5.', '-1', '1e3', '1,5', '1.001', ' 1', 'NaN'])('refuses %j', (decimal) => {
    expect(() => parseDecimal(decimal, 2)).toThrow(RangeError)
  })

  it('come back as they went', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 5 }), (scaled, decimals) => {
        const written = formatDecimal(scaled, decimals)
        const sign = written.startsWith('-') ? -1n : 1n
        expect(sign * parseDecimal(written.replace('-', ''), decimals)).toBe(scaled)
      }),
    )
  })

  it.each([
    ['019.50', '19.5'],
    ['0', '0'],
    ['0.00', '0'],
    ['100', '100'],
    ['1.010', '1.01'],
  ])('%s is written shortest as %s', (decimal, shortest) => expect(shortestDecimal(decimal)).toBe(shortest))

  it('amounts always have two decimals', () => expect(formatAmount(parseAmount('5'))).toBe('5.00'))
})

describe('divideHalfUp', () => {
  it.each([
    [5n, 10n, 1n],
    [4n, 10n, 0n],
    [15n, 10n, 2n],
    [25n, 10n, 3n],
    [0n, 7n, 0n],
    [10n, 3n, 3n],
    [11n, 3n, 4n],
  ])('%s / %s is %s', (dividend, divisor, quotient) => expect(divideHalfUp(dividend, divisor)).toBe(quotient))

  it('is never further from the quotient than a half, and upwards from exactly one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 10n }), (dividend, divisor) => {
        const twiceError = 2n * (divideHalfUp(dividend, divisor) * divisor - dividend)
        expect(twiceError > -divisor && twiceError <= divisor).toBe(true)
      }),
    )
  })
})
