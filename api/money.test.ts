import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  divideHalfUp,
  formatAmount,
  formatDecimal,
  formatMoney,
  formatUnitPrice,
  fractionDigits,
  parseAmount,
  parseDecimal,
  parseMoney,
  shortestDecimal,
  spread,
} from './money.ts'

describe('decimals', () => {
  it.each([
    ['0', 2, 0n],
    ['1200.5', 2, 120050n],
    ['007', 3, 7000n],
    ['999999999999.99', 2, 99999999999999n],
    ['9007199254740993.01', 2, 900719925474099301n],
  ])('%s with %i decimals is %s', (decimal, decimals, scaled) => {
    expect(parseDecimal(decimal, { whole: 16, decimals })).toBe(scaled)
  })

  it.each(['', '.5', '5.', '-1', '1e3', '1,5', '1.001', ' 1', 'NaN', '1000'])('refuses %j', (decimal) => {
    expect(() => parseDecimal(decimal, { whole: 3, decimals: 2 })).toThrow(RangeError)
  })

  it('come back as they went', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 5 }), (scaled, decimals) => {
        const written = formatDecimal(scaled, decimals)
        const sign = written.startsWith('-') ? -1n : 1n
        expect(sign * parseDecimal(written.replace('-', ''), { whole: 21, decimals })).toBe(scaled)
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

describe('currencies', () => {
  it.each([
    ['100.00', 'JPY', 100n],
    ['100', 'JPY', 100n],
    ['100.50', 'EUR', 10_050n],
    ['100.50', 'KWD', 10_050n],
  ])('%s %s is %s units', (amount, currency, units) => {
    expect(parseMoney(amount, currency, 'x')).toBe(units)
    expect(parseAmount(formatMoney(units, currency))).toBe(parseAmount(amount))
  })

  it('without decimals have no fractions', () => {
    expect(() => parseMoney('100.50', 'JPY', 'discount')).toThrow(expect.objectContaining({ name: 'TotalError', field: 'discount' }))
  })

  it.each([
    ['1200.00', 'JPY', '¥1,200'],
    ['1200.50', 'HUF', 'HUF 1,200.50'],
    ['1200.50', 'USD', '$1,200.50'],
    ['0.335', 'USD', '$0.335'],
    ['1.25', 'KWD', 'KWD 1.250'],
    ['0.000001', 'KWD', 'KWD 0.000001'],
  ])('%s %s is displayed with all its decimals: %s', (amount, currency, shown) => {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, ...fractionDigits(amount, currency) })
    expect(format.format(amount as Intl.StringNumericLiteral).replace('\u00a0', ' ')).toBe(shown)
  })

  it.each([
    ['7', '7.00'],
    ['0.3350', '0.335'],
    ['07.1', '7.10'],
    ['0.000001', '0.000001'],
  ])('a unit price of %s is written as %s', (given, written) => expect(formatUnitPrice(given)).toBe(written))
})

describe('spread', () => {
  it.each([
    [10n, [1n, 1n, 1n], [4n, 3n, 3n]],
    [1n, [1n, 2n, 1n], [0n, 1n, 0n]],
    [5n, [0n, 7n], [0n, 5n]],
    [0n, [3n, 4n], [0n, 0n]],
    [0n, [0n, 0n], [0n, 0n]],
  ])('divides %s (%#)', (total, weights, shares) => expect(spread(total, weights)).toEqual(shares))

  it('is exact, and no share differs from its proportion by a unit', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), weights, (total, given) => {
        const sum = given.reduce((all, weight) => all + weight, 0n)
        fc.pre(sum > 0n)
        const shares = spread(total, given)
        expect(shares.reduce((all, share) => all + share, 0n)).toBe(total)
        for (const [index, share] of shares.entries()) {
          const error = share * sum - total * (given[index] ?? 0n)
          expect(error > -sum && error < sum).toBe(true)
        }
      }),
    )
  })
})
