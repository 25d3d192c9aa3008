import { describe, expect, it } from 'vitest'
import { TotalError, totalsOf, type OfferLine, type PricedOffer } from './money.ts'
import { line } from './testing-lines.ts'

type Given = Partial<OfferLine>

const offer = (lines: readonly Given[], terms: Partial<PricedOffer> = {}): PricedOffer => ({
  currency: 'EUR',
  pricesIncludeTax: false,
  discount: null,
  discountPercent: null,
  items: lines.map(line),
  ...terms,
})
const vat = (rate: string) => [{ name: 'VAT', rate }]

/** Figures that were calculated by hand. Those of EN 16931 follow its rules BR-CO-10 to BR-CO-17. */
const figures: [name: string, offer: PricedOffer, expected: object][] = [
  [
    'GST of 5 % and QST of 9.975 %',
    offer([
      {
        unitPrice: '100',
        taxes: [
          { name: 'GST', rate: '5' },
          { name: 'QST', rate: '9.975' },
        ],
      },
    ]),
    {
      items: [{ discount: '0.00', net: '100.00', total: '114.98' }],
      subtotal: '100.00',
      discountTotal: '0.00',
      taxes: [
        { name: 'GST', rate: '5', base: '100.00', amount: '5.00' },
        { name: 'QST', rate: '9.975', base: '100.00', amount: '9.98' },
      ],
      taxTotal: '14.98',
      totalAmount: '114.98',
    },
  ],
  [
    '19 % included',
    offer([{ unitPrice: '119', taxes: vat('19') }], { pricesIncludeTax: true }),
    {
      items: [{ discount: '0.00', net: '100.00', total: '119.00' }],
      subtotal: '100.00',
      discountTotal: '0.00',
      taxes: [{ name: 'VAT', rate: '19', base: '100.00', amount: '19.00' }],
      taxTotal: '19.00',
      totalAmount: '119.00',
    },
  ],
  [
    '19 % included, of an amount that no net amount leads to',
    offer([{ unitPrice: '0.10', taxes: vat('19') }], { pricesIncludeTax: true }),
    { subtotal: '0.08', taxTotal: '0.02', totalAmount: '0.10' },
  ],
  [
    '10 % discount on the whole with 19 % included',
    offer([{ unitPrice: '119', taxes: vat('19') }], { pricesIncludeTax: true, discountPercent: '10' }),
    {
      subtotal: '100.00',
      discountTotal: '10.00',
      taxes: [{ name: 'VAT', rate: '19', base: '90.00', amount: '17.10' }],
      taxTotal: '17.10',
      totalAmount: '107.10',
    },
  ],
  [
    'yen, without decimals',
    offer([{ quantity: '3', unitPrice: '33.5', taxes: vat('10') }], { currency: 'JPY' }),
    // 100.5 is 101, and 10 % of it are 10.1.
    {
      items: [{ discount: '0.00', net: '101.00', total: '111.00' }],
      subtotal: '101.00',
      taxes: [{ name: 'VAT', rate: '10', base: '101.00', amount: '10.00' }],
      totalAmount: '111.00',
    },
  ],
  [
    'Kuwaiti dinars, with amounts in hundredths',
    offer([{ quantity: '10', unitPrice: '0.125', taxes: vat('5') }], { currency: 'KWD' }),
    // 1.25, and 5 % of it are 0.0625.
    { subtotal: '1.25', taxTotal: '0.06', totalAmount: '1.31' },
  ],
  ['1,000 units at 0.335', offer([{ quantity: '1000', unitPrice: '0.335' }]), { subtotal: '335.00', totalAmount: '335.00' }],
  [
    '100 % off the line',
    offer([{ unitPrice: '49.99', discountPercent: '100', taxes: vat('19') }]),
    {
      items: [{ discount: '49.99', net: '0.00', total: '0.00' }],
      taxes: [{ name: 'VAT', rate: '19', base: '0.00', amount: '0.00' }],
      totalAmount: '0.00',
    },
  ],
  [
    '100 % off the whole',
    offer(
      [
        { unitPrice: '49.99', taxes: vat('19') },
        { unitPrice: '10', taxes: vat('7') },
      ],
      { discountPercent: '100' },
    ),
    { subtotal: '59.99', discountTotal: '59.99', taxTotal: '0.00', totalAmount: '0.00' },
  ],
  [
    '100 % off the whole with tax included',
    offer(
      [
        { unitPrice: '119', taxes: vat('19') },
        { unitPrice: '107', taxes: vat('7') },
      ],
      { discountPercent: '100', pricesIncludeTax: true },
    ),
    { subtotal: '200.00', discountTotal: '200.00', taxTotal: '0.00', totalAmount: '0.00' },
  ],
  [
    'a tax that is rounded once and not for each line',
    // 0.10 × 19 % = 0.019: three times 0.02 would be 0.06.
    offer([1, 2, 3].map(() => ({ unitPrice: '0.10', taxes: vat('19') }))),
    { subtotal: '0.30', taxTotal: '0.06', totalAmount: '0.36' },
  ],
  [
    'a tax whose rounded lines would add up to another amount',
    // 0.03 × 19 % = 0.0057: ten times 0.01 would be 0.10.
    offer(Array.from({ length: 10 }, () => ({ unitPrice: '0.03', taxes: vat('19') }))),
    { subtotal: '0.30', taxTotal: '0.06', totalAmount: '0.36' },
  ],
  [
    'EN 16931: a line with an allowance, and an allowance on the document with one rate',
    offer(
      [
        { quantity: '10', unitPrice: '12.50', discount: '5', taxes: vat('25') },
        { quantity: '4', unitPrice: '9.999', taxes: vat('25') },
      ],
      { discount: '16' },
    ),
    // 125.00 − 5.00 = 120.00; 39.996 = 40.00; 160.00 − 16.00 = 144.00; 25 % = 36.00.
    {
      items: [
        { discount: '5.00', net: '120.00', total: '150.00' },
        { discount: '0.00', net: '40.00', total: '50.00' },
      ],
      subtotal: '160.00',
      discountTotal: '16.00',
      taxes: [{ name: 'VAT', rate: '25', base: '144.00', amount: '36.00' }],
      taxTotal: '36.00',
      totalAmount: '180.00',
    },
  ],
  [
    'EN 16931: three rates and an allowance divided between them',
    offer(
      [
        { unitPrice: '100', taxes: vat('19') },
        { unitPrice: '100', taxes: vat('7') },
        { unitPrice: '100', taxes: vat('0') },
      ],
      { discount: '100' },
    ),
    // 33.33 each and the remaining hundredth to the first in the order of rates as text: 0, 19, 7.
    {
      subtotal: '300.00',
      discountTotal: '100.00',
      taxes: [
        { name: 'VAT', rate: '0', base: '66.66', amount: '0.00' },
        { name: 'VAT', rate: '7', base: '66.67', amount: '4.67' },
        { name: 'VAT', rate: '19', base: '66.67', amount: '12.67' },
      ],
      taxTotal: '17.34',
      totalAmount: '217.34',
    },
  ],
  [
    'EN 16931: a percentage of a line, rounded before it is subtracted',
    offer([{ quantity: '3', unitPrice: '3.35', discountPercent: '50', taxes: vat('20') }]),
    // 10.05 × 50 % = 5.025 = 5.03; 5.02 × 20 % = 1.004.
    { items: [{ discount: '5.03', net: '5.02', total: '6.02' }], subtotal: '5.02', taxTotal: '1.00', totalAmount: '6.02' },
  ],
]

describe('totalsOf', () => {
  it.each(figures)('calculates %s', (_name, given, expected) => expect(totalsOf(given)).toMatchObject(expected))

  it.each([
    [{ unitPrice: '100' }, '100.00'],
    [{ unitPrice: '0.10', quantity: '3' }, '0.30'],
    [{ unitPrice: '0.01', quantity: '0.5' }, '0.01'],
    [{ unitPrice: '0.01', quantity: '0.499' }, '0.00'],
    [{ unitPrice: '1.15', quantity: '100' }, '115.00'],
    [{ unitPrice: '1.00', quantity: '1.005' }, '1.01'],
    [{ unitPrice: '1.005' }, '1.01'],
    [{ unitPrice: '100', taxes: vat('19') }, '119.00'],
    [{ unitPrice: '100', discount: '10', taxes: vat('19') }, '107.10'],
    [{ unitPrice: '33.33', quantity: '3', taxes: vat('7.7') }, '107.69'],
    [{ unitPrice: '0.50', taxes: vat('1') }, '0.51'],
    [{ unitPrice: '0.49', taxes: vat('1') }, '0.49'],
    [{ unitPrice: '10', discount: '10' }, '0.00'],
    [{ unitPrice: '0', quantity: '0' }, '0.00'],
    [{ unitPrice: '999999999999.99' }, '999999999999.99'],
  ])('calculates %j: %s', (item, total) => {
    const { items, totalAmount } = totalsOf(offer([item]))
    expect([items[0]?.total, totalAmount]).toEqual([total, total])
  })

  it('counts options only if they are preselected or chosen', () => {
    const given = offer([{ unitPrice: '1' }, { unitPrice: '10', optional: true }, { unitPrice: '100', optional: true, preselected: true }])
    expect(totalsOf(given).totalAmount).toBe('101.00')
    expect(totalsOf(given, ['2', '3', null]).totalAmount).toBe('32.00')
    expect(totalsOf(given).items.map(({ total }) => total)).toEqual(['1.00', '10.00', '100.00'])
  })

  it('limits a discount to the price of the chosen lines', () => {
    const given = offer([{ unitPrice: '5' }, { unitPrice: '100', optional: true, preselected: true, discount: '20' }], { discount: '50' })
    expect(totalsOf(given)).toMatchObject({ subtotal: '85.00', discountTotal: '50.00', totalAmount: '35.00' })
    expect(totalsOf(given, ['1', null])).toMatchObject({ subtotal: '5.00', discountTotal: '5.00', totalAmount: '0.00' })
    expect(totalsOf(given, ['1', '0.1'])).toMatchObject({ subtotal: '5.00', totalAmount: '0.00' })
  })

  it('never returns taxes of more than the total', () => {
    const taxes = ['a', 'b', 'c'].map((name) => ({ name, rate: '300' }))
    expect(totalsOf(offer([{ unitPrice: '0.02', taxes }], { pricesIncludeTax: true }))).toMatchObject({
      subtotal: '0.00',
      taxTotal: '0.02',
      totalAmount: '0.02',
    })
  })

  it.each<[string, PricedOffer]>([
    ['items.0.discount', offer([{ unitPrice: '10', discount: '10.01' }])],
    ['items.0.discount', offer([{ unitPrice: '10', discount: '1.50' }], { currency: 'JPY' })],
    ['items.0', offer([{ unitPrice: '999999999999.99', quantity: '1.001' }])],
    ['items.0', offer([{ unitPrice: '999999999999', quantity: '999999999', discountPercent: '100' }])],
    ['items.1', offer([{}, { unitPrice: '999999999999.99', quantity: '2', optional: true }])],
    ['items', offer([{ unitPrice: '999999999999.99' }, { unitPrice: '0.01' }])],
    ['discount', offer([{ unitPrice: '10' }], { discount: '10.01' })],
    ['discount', offer([{ unitPrice: '10' }], { discount: '1.50', currency: 'JPY' })],
  ])('refuses a wrong %s (%#)', (field, given) => {
    expect(() => totalsOf(given)).toThrow(TotalError)
    expect(() => totalsOf(given)).toThrow(expect.objectContaining({ field }))
  })

  it.each([
    { unitPrice: '1,5' },
    { unitPrice: '1e3' },
    { unitPrice: '' },
    { unitPrice: '1.0000005' },
    { quantity: '1234567890' },
    { taxes: vat('1000') },
    { discountPercent: '100.1' },
  ])('refuses %j, which is no decimal of its kind', (item) => expect(() => totalsOf(offer([item]))).toThrow(RangeError))
})
