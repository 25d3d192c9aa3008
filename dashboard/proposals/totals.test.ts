import { expect, test } from 'vitest'
import { amountOf, lineTotal, totalOf, type TypedItem } from './totals.ts'

const line = (item: Partial<TypedItem>): TypedItem => ({
  description: 'x',
  quantity: '1',
  unitPrice: '1',
  discount: '',
  taxRate: '',
  optional: false,
  ...item,
})
const told = (value: bigint | undefined): string | undefined => (value === undefined ? undefined : amountOf(value))

// The same as the service is held to in server/proposals/totals.test.ts.
test.each([
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
  [{ unitPrice: '999999999999.99' }, '999999999999.99'],
  [{ unitPrice: '10', discount: '10.01' }, undefined],
  [{ unitPrice: '999999999999.99', quantity: '1.001' }, undefined],
  [{ unitPrice: '1,5' }, undefined],
  [{ unitPrice: '1e3' }, undefined],
  [{ unitPrice: '' }, undefined],
  [{ unitPrice: '1.005' }, undefined],
])('a line of %j comes to %s', (item, total) => expect(told(lineTotal(line(item)))).toBe(total))

test('a total is the sum of the rounded lines that are not optional', () => {
  expect(told(totalOf([line({ unitPrice: '0.10' }), line({ unitPrice: '0.20' }), line({ unitPrice: '5', optional: true })]))).toBe('0.30')
  expect(totalOf([line({}), line({ quantity: 'two' })])).toBeUndefined()
  expect(totalOf([line({ unitPrice: '999999999999.99' }), line({ unitPrice: '0.01' })])).toBeUndefined()
})
