import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { totalsOf, type OfferLine, type PricedOffer, type TaxRate } from './money.ts'

/**
 * Compares the totals with a second implementation that works with exact fractions instead of scaled integers, and shares no code
 * with the first one.
 */
class Fraction {
  readonly top: bigint
  readonly bottom: bigint

  constructor(top: bigint, bottom = 1n) {
    const divisor = gcd(top < 0n ? -top : top, bottom)
    this.top = top / divisor
    this.bottom = bottom / divisor
  }

  static of(decimal: string): Fraction {
    const [whole = '0', digits = ''] = decimal.split('.')
    return new Fraction(BigInt(whole + digits), 10n ** BigInt(digits.length))
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom)
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.top, other.bottom))
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.top * other.top, this.bottom * other.bottom)
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom, this.bottom * other.top)
  }

  isLessThan(other: Fraction): boolean {
    return this.top * other.bottom < other.top * this.bottom
  }

  /** Rounds down to a multiple of the unit. Not negative. */
  down(unit: Fraction): Fraction {
    const { top, bottom } = this.over(unit)
    return new Fraction(top / bottom).times(unit)
  }

  /** Rounds half up to a multiple of the unit. Not negative. */
  rounded(unit: Fraction): Fraction {
    return this.plus(unit.over(new Fraction(2n))).down(unit)
  }

  toString(): string {
    const hundredths = this.times(new Fraction(100n))
    if (hundredths.bottom !== 1n) throw new Error('not a whole number of hundredths')
    return `${hundredths.top / 100n}.${String(hundredths.top % 100n).padStart(2, '0')}`
  }
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a || 1n : gcd(b, a % b))
const zero = new Fraction(0n)
const one = new Fraction(1n)
const hundred = new Fraction(100n)
const sum = (values: readonly Fraction[]): Fraction => values.reduce((total, value) => total.plus(value), zero)

/** Gives every weight its share rounded down, and then a unit to the share that lacks most, until nothing is left. */
function shared(total: Fraction, weights: readonly Fraction[], unit: Fraction): Fraction[] {
  const whole = sum(weights)
  if (whole.top === 0n) return weights.map(() => zero)
  const exact = weights.map((weight) => total.times(weight).over(whole))
  const shares = exact.map((share) => share.down(unit))
  for (let left = total.minus(sum(shares)); left.top > 0n; left = left.minus(unit)) {
    let most = 0
    for (let index = 1; index < shares.length; index += 1) {
      const [lacks, mostLacks] = [index, most].map((at) => (exact[at] ?? zero).minus(shares[at] ?? zero))
      if (lacks !== undefined && mostLacks?.isLessThan(lacks)) most = index
    }
    shares[most] = (shares[most] ?? zero).plus(unit)
  }
  return shares
}

function slowTotals({ currency, pricesIncludeTax, items, discount, discountPercent }: PricedOffer) {
  const unit = currency === 'JPY' ? one : new Fraction(1n, 100n)
  const lines = items.map((item) => {
    const price = Fraction.of(item.quantity).times(Fraction.of(item.unitPrice))
    const off =
      item.discountPercent === null
        ? Fraction.of(item.discount)
        : price.times(Fraction.of(item.discountPercent)).over(hundred).rounded(unit)
    const factor = one.plus(sum(item.taxes.map(({ rate }) => Fraction.of(rate).over(hundred))))
    return { item, amount: price.rounded(unit).minus(off), factor }
  })
  const counted = lines.filter(({ item }) => !item.optional || item.preselected)
  const textOf = (taxes: readonly TaxRate[]): string =>
    taxes
      .map(({ name, rate }) => JSON.stringify([name, rate]))
      .toSorted()
      .join()
  const keys = [...new Set(counted.map(({ item }) => textOf(item.taxes)))].toSorted()
  const whole = sum(counted.map(({ amount }) => amount))
  const limit = Fraction.of(discount ?? '0')
  const off =
    discountPercent !== null
      ? whole.times(Fraction.of(discountPercent)).over(hundred).rounded(unit)
      : whole.isLessThan(limit)
        ? whole
        : limit
  const groups = keys.map((key) => counted.filter(({ item }) => textOf(item.taxes) === key))
  const shares = shared(
    off,
    groups.map((group) => sum(group.map(({ amount }) => amount))),
    unit,
  )
  const nets = groups.map((group, index) => {
    const amount = sum(group.map((line) => line.amount)).minus(shares[index] ?? zero)
    return pricesIncludeTax ? amount.over(group[0]?.factor ?? one) : amount
  })
  const names = new Map(counted.flatMap(({ item }) => item.taxes).map((tax) => [textOf([tax]), tax]))
  const taxes = [...names].map(([key, { name, rate }]) => {
    const base = sum(nets.filter((_net, index) => groups[index]?.[0]?.item.taxes.some((tax) => textOf([tax]) === key)))
    return { name, rate, base, amount: base.times(Fraction.of(rate)).over(hundred).rounded(unit) }
  })
  const taxTotal = sum(taxes.map(({ amount }) => amount))
  return {
    unit,
    lines,
    taxes: taxes.map(({ name, rate, base, amount }) => ({ name, rate, base, amount: String(amount) })),
    taxTotal: String(taxTotal),
    totalAmount: String(pricesIncludeTax ? whole.minus(off) : whole.minus(off).plus(taxTotal)),
    priced: String(whole.minus(off)),
  }
}

const scaled = (max: number, decimals: number) =>
  fc.integer({ min: 0, max }).map((value) => (value / 10 ** decimals).toFixed(decimals).replace(/\.?0+$/, '') || '0')

const taxSets: readonly (readonly TaxRate[])[] = [
  [],
  [{ name: null, rate: '19' }],
  [{ name: null, rate: '7' }],
  [{ name: 'VAT', rate: '0' }],
  [{ name: 'VAT', rate: '8.1' }],
  [
    { name: 'GST', rate: '5' },
    { name: 'QST', rate: '9.975' },
  ],
  [
    { name: 'QST', rate: '9.975' },
    { name: 'GST', rate: '5' },
  ],
  [
    { name: 'GST', rate: '5' },
    { name: 'PST', rate: '7' },
    { name: 'Levy', rate: '0.0001' },
  ],
  [{ name: 'Duty', rate: '99.9999' }],
]

const lineOf = (currency: string) =>
  fc
    .record({
      quantity: fc.oneof(fc.constantFrom('1', '2', '1000'), scaled(100_000, 3)),
      unitPrice: fc.oneof(scaled(100_000, 2), scaled(10_000_000_000, 6), fc.constant('0.335')),
      kind: fc.constantFrom('none', 'amount', 'percent'),
      portion: fc.integer({ min: 0, max: 100 }),
      percent: fc.oneof(fc.constantFrom('0', '100', '50', '33.3333'), scaled(1_000_000, 4)),
      taxes: fc.constantFrom(...taxSets),
      optional: fc.boolean(),
      preselected: fc.boolean(),
    })
    .map(({ kind, portion, percent, optional, preselected, ...rest }): OfferLine => {
      const unit = currency === 'JPY' ? one : new Fraction(1n, 100n)
      const price = Fraction.of(rest.quantity).times(Fraction.of(rest.unitPrice)).rounded(unit)
      return {
        ...rest,
        discount: kind === 'amount' ? String(price.times(new Fraction(BigInt(portion), 100n)).down(unit)) : '0',
        discountPercent: kind === 'percent' ? percent : null,
        optional,
        preselected: optional && preselected,
        group: null,
        quantityRange: null,
      }
    })

const anyOffer = fc.constantFrom('EUR', 'JPY', 'KWD').chain((currency) =>
  fc
    .record({
      pricesIncludeTax: fc.boolean(),
      items: fc.array(lineOf(currency), { minLength: 1, maxLength: 12 }),
      kind: fc.constantFrom('none', 'amount', 'percent'),
      percent: fc.oneof(fc.constantFrom('100', '10'), scaled(1_000_000, 4)),
      amount: fc.integer({ min: 0, max: 20_000 }),
    })
    .map(({ kind, percent, amount, pricesIncludeTax, items }): PricedOffer => {
      const optional = { ...(items[0] as OfferLine), optional: true, preselected: false }
      return {
        currency,
        pricesIncludeTax,
        // The option lets an amount exceed the sum of the lines.
        items: kind === 'amount' ? [...items, optional] : items,
        discount: kind === 'amount' ? `${amount}.00` : null,
        discountPercent: kind === 'percent' ? percent : null,
      }
    }),
)

/** `npm run test:full` sets 10,000. */
const numRuns = Number(process.env['RANDOM_TOTALS'] ?? 2000)

describe('totals of random proposals', () => {
  it('are those of an implementation with exact fractions', () => {
    fc.assert(
      fc.property(anyOffer, (offer) => {
        const [totals, slow] = [totalsOf(offer), slowTotals(offer)]
        expect([totals.totalAmount, totals.taxTotal]).toEqual([slow.totalAmount, slow.taxTotal])
        expect(totals.taxes).toHaveLength(slow.taxes.length)
        const half = slow.unit.over(new Fraction(2n))
        for (const { name, rate, base, amount } of slow.taxes) {
          const tax = totals.taxes.find((each) => each.name === name && each.rate === rate)
          expect(tax?.amount).toBe(amount)
          const error = Fraction.of(tax?.base ?? '').minus(base)
          expect(half.isLessThan(error) || error.isLessThan(zero.minus(half))).toBe(false)
        }
      }),
      { numRuns },
    )
  }, 300_000)

  it('add up exactly', () => {
    fc.assert(
      fc.property(anyOffer, (offer) => {
        const totals = totalsOf(offer)
        const amounts = (values: readonly string[]): string => String(sum(values.map((value) => Fraction.of(value))))
        const counted = totals.items.filter((_line, index) => !offer.items[index]?.optional || offer.items[index]?.preselected)
        expect(totals.subtotal).toBe(amounts(counted.map(({ net }) => net)))
        expect(totals.taxTotal).toBe(amounts(totals.taxes.map(({ amount }) => amount)))
        expect(amounts([totals.subtotal, totals.taxTotal])).toBe(amounts([totals.totalAmount, totals.discountTotal]))
        // With tax included, the total is the sum of the prices, whatever the taxes are.
        const { priced } = slowTotals(offer)
        if (offer.pricesIncludeTax) expect(totals.totalAmount).toBe(priced)
        else expect(amounts([totals.totalAmount])).toBe(amounts([priced, totals.taxTotal]))
      }),
      { numRuns },
    )
  }, 300_000)

  it('do not depend on the order of the lines and of their taxes', () => {
    fc.assert(
      fc.property(anyOffer, fc.integer({ min: 1, max: 11 }), (offer, turn) => {
        const turned = [...offer.items.slice(turn), ...offer.items.slice(0, turn)].toReversed()
        const items = turned.map((line) => ({ ...line, taxes: line.taxes.toReversed() }))
        const { items: _before, ...before } = totalsOf(offer)
        const { items: _after, ...after } = totalsOf({ ...offer, items })
        expect(after).toEqual(before)
      }),
      { numRuns },
    )
  }, 300_000)
})
