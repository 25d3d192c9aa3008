import { expect, test } from 'vitest'
import {
  amountOfLine,
  discountOf,
  taxesOf,
  taxText,
  totalsOfTyped,
  typedAmount,
  typedDiscount,
  typedTaxes,
  type TypedItem,
  type TypedTax,
} from './totals.ts'

const tax = (rate: string, name = ''): TypedTax => ({ name, rate })
const line = (item: Partial<TypedItem>): TypedItem => ({
  description: 'x',
  quantity: '1',
  unitPrice: '1',
  discount: '',
  taxes: [tax('')],
  optional: false,
  preselected: false,
  group: '',
  quantityRange: null,
  ...item,
})
const totals = (items: TypedItem[], terms = {}) =>
  totalsOfTyped({ items, pricesIncludeTax: false, discount: '', currency: 'EUR', ...terms })

test.each<[Partial<TypedItem>, string | undefined]>([
  [{ unitPrice: ' 100 ', quantity: ' 2 ', discount: ' ', taxes: [tax('19 ')] }, '238.00'],
  [{ unitPrice: '100', taxes: [tax('5', 'GST'), tax('9.975 %', 'QST'), tax('')] }, '114.98'],
  [{ unitPrice: '0.335', quantity: '1000' }, '335.00'],
  [{ unitPrice: '100', discount: '12.5 %' }, '87.50'],
  [{ unitPrice: '10', discount: '10.01' }, undefined],
  [{ unitPrice: '10', discount: '101%' }, undefined],
  [{ unitPrice: '999999999999.99', quantity: '1.001' }, undefined],
  [{ unitPrice: '1,5' }, undefined],
  [{ unitPrice: '' }, undefined],
  [{ taxes: [tax('', 'VAT')] }, undefined],
  [{ taxes: [tax('19 +')] }, undefined],
])('the total of a line item with %j is %s', (item, total) => expect(totals([line(item)])?.totalAmount).toBe(total))

test('sums line items that are not optional or that are preselected', () => {
  const option = line({ unitPrice: '5', optional: true })
  expect(totals([line({ unitPrice: '0.10' }), line({ unitPrice: '0.20' }), option])?.totalAmount).toBe('0.30')
  expect(totals([line({}), { ...option, preselected: true }])?.totalAmount).toBe('6.00')
  expect(totals([line({}), line({ quantity: 'two' })])).toBeUndefined()
  expect(totals([line({ unitPrice: '999999999999.99' }), line({ unitPrice: '0.01' })])).toBeUndefined()
})

test('applies the terms of the whole', () => {
  const items = [line({ unitPrice: '119', taxes: [tax('19')] })]
  expect(totals(items, { pricesIncludeTax: true, discount: '10%' })).toMatchObject({ subtotal: '100.00', totalAmount: '107.10' })
  expect(totals(items, { discount: '19' })).toMatchObject({ totalAmount: '119.00' })
  expect(totals([line({ unitPrice: '1.50' })], { currency: 'JPY' })?.totalAmount).toBe('2.00')
})

test('returns the amount of a line as prices are given', () => {
  const item = line({ unitPrice: '119', taxes: [tax('19')], optional: true })
  expect([amountOfLine(item, 'EUR', false), amountOfLine(item, 'EUR', true)]).toEqual(['119.00', '119.00'])
  expect(amountOfLine(line({ unitPrice: '' }), 'EUR', false)).toBeUndefined()
})

test.each(['', '50.00', '12.5%'])('reads and writes the discount %j', (typed) => {
  const { discount, discountPercent } = discountOf(typed)
  expect(typedDiscount(discount, discountPercent)).toBe(typed)
})

test.each([
  [[], ''],
  [[tax('19')], '19'],
  [[tax('19', 'VAT')], 'VAT 19'],
  [[tax('5', 'GST'), tax('9.975', 'QST')], 'GST 5 + QST 9.975'],
])('reads and writes the taxes %j', (typed, text) => {
  expect(typedTaxes(taxesOf(typed))).toEqual(typed)
  expect(taxText(taxesOf(typed))).toBe(text)
})

test('shows no discount of zero', () => expect(typedDiscount('0.00', null)).toBe(''))

test('parses an amount, or returns undefined while it is incomplete', () => {
  expect(typedAmount(' 1200.5 ')).toBe(120_050n)
  expect(typedAmount('1200.')).toBeUndefined()
})
