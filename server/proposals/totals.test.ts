import { ProposalItemInput } from '@groundwork/api'
import { parseAmount } from '@groundwork/api/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceItem, sumOf } from './totals.ts'

const line = (item: object) => priceItem(ProposalItemInput.parse({ description: 'x', unitPrice: '1', ...item }), 'items.0')

describe('priceItem', () => {
  it('normalizes every field', () => {
    expect(line({ quantity: '02.500', unitPrice: '7', taxRate: '19.00' })).toEqual({
      description: 'x',
      quantity: '2.5',
      unitPrice: '7.00',
      discount: '0.00',
      taxRate: '19',
      optional: false,
      total: '20.83',
    })
  })

  it('refuses a discount above the price and a total above the maximum', () => {
    expect(() => line({ unitPrice: '10', discount: '10.01' })).toThrow(expect.objectContaining({ field: 'items.0.discount' }))
    expect(() => line({ unitPrice: '999999999999.99', quantity: '1.001' })).toThrow(expect.objectContaining({ field: 'items.0' }))
  })
})

const cents = fc.integer({ min: 0, max: 10 ** 7 })
const decimal = (scaled: number, decimals: number): string => (scaled / 10 ** decimals).toFixed(decimals)
const itemInput = fc.record({
  description: fc.constant('x'),
  quantity: fc.integer({ min: 1000, max: 10 ** 6 }).map((thousandths) => decimal(thousandths, 3)),
  unitPrice: cents.map((value) => decimal(value, 2)),
  taxRate: fc.integer({ min: 0, max: 10_000 }).map((value) => decimal(value, 2)),
  optional: fc.boolean(),
})

describe('totals', () => {
  it('are the sum of the required line items in any order', () => {
    fc.assert(
      fc.property(fc.array(itemInput, { minLength: 1, maxLength: 20 }), (inputs) => {
        const items = inputs.map((input) => priceItem(input, 'items'))
        const sum = items.filter((item) => !item.optional).reduce((total, item) => total + parseAmount(item.total), 0n)
        expect(parseAmount(sumOf(items))).toBe(sum)
        expect(sumOf(items.toReversed())).toBe(sumOf(items))
      }),
    )
  })

  it('differ from the exact amount by at most half a cent per line item', () => {
    fc.assert(
      fc.property(itemInput, (input) => {
        // Unit: 10^-7 of the currency, from three decimals of the quantity, two of the price and two of the tax rate in
        // percent.
        const exact =
          BigInt(input.quantity.replace('.', '')) *
          BigInt(input.unitPrice.replace('.', '')) *
          (10_000n + BigInt(input.taxRate.replace('.', '')))
        const error = 2n * (parseAmount(priceItem(input, 'items').total) * 10n ** 7n - exact)
        expect(error > -(10n ** 7n) && error <= 10n ** 7n).toBe(true)
      }),
    )
  })

  it('never decrease with a larger quantity, price or tax rate', () => {
    fc.assert(
      fc.property(itemInput, (input) => {
        const total = parseAmount(priceItem(input, 'items').total)
        expect(parseAmount(priceItem({ ...input, taxRate: '100.01' }, 'items').total)).toBeGreaterThanOrEqual(total)
        expect(parseAmount(priceItem({ ...input, quantity: '1000.001' }, 'items').total)).toBeGreaterThanOrEqual(total)
        expect(parseAmount(priceItem({ ...input, unitPrice: '100000.01' }, 'items').total)).toBeGreaterThanOrEqual(total)
      }),
    )
  })

  it('survive formatting and parsing', () => {
    fc.assert(
      fc.property(itemInput, (input) => {
        const priced = priceItem(input, 'items')
        expect(priceItem(priced, 'items')).toEqual(priced)
      }),
    )
  })

  it('are refused with more than twelve digits', () => {
    const item = line({ unitPrice: '999999999999.99' })
    expect(() => sumOf([item, line({ unitPrice: '0.01' })])).toThrow(expect.objectContaining({ field: 'items' }))
    expect(sumOf([item, line({ unitPrice: '0.01', optional: true })])).toBe('999999999999.99')
  })
})
