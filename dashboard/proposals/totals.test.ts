import { expect, test } from 'vitest'
import { totalOfLine, totalOfLines, typedAmount, type TypedItem } from './totals.ts'

const line = (item: Partial<TypedItem>): TypedItem => ({
  description: 'x',
  quantity: '1',
  unitPrice: '1',
  discount: '',
  taxRate: '',
  optional: false,
  ...item,
})

test.each<[Partial<TypedItem>, bigint | undefined]>([
  [{ unitPrice: ' 100 ', quantity: ' 2 ', discount: ' ', taxRate: '19 ' }, 23_800n],
  [{ unitPrice: '10', discount: '10.01' }, undefined],
  [{ unitPrice: '999999999999.99', quantity: '1.001' }, undefined],
  [{ unitPrice: '1,5' }, undefined],
  [{ unitPrice: '' }, undefined],
])('the total of a line item with %j is %s', (item, total) => expect(totalOfLine(line(item))).toBe(total))

test('sums the rounded totals of line items that are not optional', () => {
  expect(totalOfLines([line({ unitPrice: '0.10' }), line({ unitPrice: '0.20' }), line({ unitPrice: '5', optional: true })])).toBe(30n)
  expect(totalOfLines([line({}), line({ quantity: 'two' })])).toBeUndefined()
  expect(totalOfLines([line({ unitPrice: '999999999999.99' }), line({ unitPrice: '0.01' })])).toBeUndefined()
})

test('parses an amount, or returns undefined while it is incomplete', () => {
  expect(typedAmount(' 1200.5 ')).toBe(120_050n)
  expect(typedAmount('1200.')).toBeUndefined()
})
