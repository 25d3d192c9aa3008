import { ProposalItemInput } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { lineOf, priceItems } from './totals.ts'

const terms = { currency: 'EUR', pricesIncludeTax: false, discount: null, discountPercent: null }
const input = (item: object) => lineOf(ProposalItemInput.parse({ description: 'x', unitPrice: '1', ...item }))
const priced = (...items: object[]) => priceItems(terms, items.map(input))

describe('priceItems', () => {
  it('normalizes every field', () => {
    const item = {
      quantity: '02.500',
      unitPrice: '7.1250',
      discount: '1',
      taxes: [{ name: ' VAT ', rate: '19.00' }],
      group: 'Size',
      preselected: true,
      quantityRange: { min: '0.50', max: '010' },
    }
    const { items, totals } = priced({ ...item, quantityRange: { ...item.quantityRange, step: '0.50' } })
    expect(items).toEqual([
      {
        description: 'x',
        quantity: '2.5',
        unitPrice: '7.125',
        discount: '1.00',
        discountPercent: null,
        taxRate: '19',
        taxes: [{ name: 'VAT', rate: '19' }],
        optional: true,
        preselected: true,
        group: 'Size',
        quantityRange: { min: '0.5', max: '10', step: '0.5' },
        net: '16.81',
        total: '20.00',
      },
    ])
    expect(totals.totalAmount).toBe('20.00')
  })

  it('takes taxRate as a tax without a name', () => {
    expect(priced({ taxRate: '07.70' }).items[0]).toMatchObject({ taxRate: '7.7', taxes: [{ name: null, rate: '7.7' }] })
    for (const item of [{}, { taxRate: '0.00' }, { taxes: [] }]) expect(priced(item).items[0]).toMatchObject({ taxRate: '0', taxes: [] })
    const zero = [{ name: 'VAT', rate: '0' }]
    expect(priced({ taxes: zero }).totals.taxes).toEqual([{ name: 'VAT', rate: '0', base: '1.00', amount: '0.00' }])
  })

  it('returns the same lines for its own result', () => {
    const { items } = priced({ unitPrice: '9.999', quantity: '3', discountPercent: '12.5', taxRate: '19' }, { discount: '0.5' })
    expect(priceItems(terms, items).items).toEqual(items)
  })

  const range = (min: string, max: string, step = '1') => ({ quantityRange: { min, max, step } })

  it.each([
    ['items.0.discount', [{ discount: '1.01' }]],
    ['items.0', [{ unitPrice: '999999999999.99', quantity: '1.001' }]],
    ['items', [{ unitPrice: '999999999999.99' }, { unitPrice: '0.01' }]],
    [
      'items.0.taxes.1.name',
      [
        {
          taxes: [
            { name: 'VAT', rate: '19' },
            { name: 'VAT', rate: '7' },
          ],
        },
      ],
    ],
    ['items.1.preselected', [1, 2].map(() => ({ group: 'a', preselected: true }))],
    ['items.0.quantityRange.step', [range('1', '2', '0.0')]],
    ['items.0.quantityRange.max', [range('2', '1')]],
    ['items.0.quantity', [range('2', '3')]],
    ['items.0.quantity', [{ quantity: '1.5', ...range('1', '3') }]],
  ])('refuses a wrong %s (%#)', (field, items) => {
    expect(() => priced(...items)).toThrow(expect.objectContaining({ code: 'validation_error', field }))
  })
})

describe('ProposalItemInput', () => {
  it.each([
    ['discountPercent', { discount: '1', discountPercent: '1' }],
    ['discountPercent', { discountPercent: '100.0001' }],
    ['taxRate', { taxRate: '19', taxes: [{ name: 'VAT', rate: '19' }] }],
    ['taxes', { taxes: Array.from({ length: 4 }, (_, index) => ({ name: `T${index}`, rate: '1' })) }],
    ['preselected', { preselected: true }],
    ['unitPrice', { unitPrice: '0.0000001' }],
    ['taxRate', { taxRate: '0.00001' }],
  ])('refuses a wrong %s (%#)', (field, item) => {
    const { error } = ProposalItemInput.safeParse({ description: 'x', unitPrice: '1', ...item })
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field])
  })
})
