import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  divideHalfUp,
  formatAmount,
  formatDecimal,
  lineTotal,
  parseAmount,
  parseDecimal,
  shortestDecimal,
  TotalError,
  totalOf,
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

const line = (parts: object) => ({ quantity: '1', unitPrice: '1', discount: '0', taxRate: '0', optional: false, ...parts })

describe('lineTotal', () => {
  it.each([
    [{ unitPrice: '100' }, '100.00'],
    [{ unitPrice: '0.10', quantity: '3' }, '0.30'],
    [{ unitPrice: '0.01', quantity: '0.5' }, '0.01'],
    [{ unitPrice: '0.01', quantity: '0.499' }, '0.00'],
    [{ unitPrice: '1.15', quantity: '100' }, '115.00'],
    [{ unitPrice: '1.00', quantity: '1.005' }, '1.01'],
    [{ unitPrice: '100', taxRate: '19' }, '119.00'],
    [{ unitPrice: '100', discount: '10', taxRate: '19' }, '107.10'],
    [{ unitPrice: '33.33', quantity: '3', taxRate: '7.7' }, '107.69'],
    [{ unitPrice: '0.50', taxRate: '1' }, '0.51'],
    [{ unitPrice: '0.49', taxRate: '1' }, '0.49'],
    [{ unitPrice: '10', discount: '10' }, '0.00'],
    [{ unitPrice: '0', quantity: '0' }, '0.00'],
    [{ unitPrice: '999999999999.99' }, '999999999999.99'],
  ])('%j comes to %s', (item, total) => expect(formatAmount(lineTotal(line(item)))).toBe(total))

  it.each([
    [{ unitPrice: '10', discount: '10.01' }, 'discount'],
    [{ unitPrice: '999999999999.99', quantity: '1.001' }, undefined],
  ])('refuses %j', (item, part) => {
    expect(() => lineTotal(line(item))).toThrow(TotalError)
    expect(() => lineTotal(line(item))).toThrow(expect.objectContaining({ part }))
  })

  it.each([
    { unitPrice: '1,5' },
    { unitPrice: '1e3' },
    { unitPrice: '' },
    { unitPrice: '1.005' },
    { quantity: '1234567890' },
    { taxRate: '1000' },
  ])('refuses %j, which is no decimal of its kind', (item) => expect(() => lineTotal(line(item))).toThrow(RangeError))
})

describe('totalOf', () => {
  it('asks nothing of optional lines', () => {
    expect(totalOf([line({ unitPrice: '0.10' }), line({ unitPrice: '0.20' }), line({ unitPrice: 'x', optional: true })], lineTotal)).toBe(
      30n,
    )
  })

  it('refuses a sum that is no amount', () => {
    expect(() => totalOf([line({ unitPrice: '999999999999.99' }), line({ unitPrice: '0.01' })], lineTotal)).toThrow(TotalError)
  })
})
