import { describe, expect, test } from 'vitest'
import { checkTotals } from './certificate-totals.ts'

const first = {
  currency: 'EUR',
  totalAmount: '119.00',
  items: [
    { total: '119.00', optional: false },
    { total: '5.00', optional: true },
  ],
}
const second = {
  currency: 'EUR',
  totalAmount: '107.10',
  subtotal: '100.00',
  discountTotal: '10.00',
  taxes: [
    { name: 'VAT', rate: '19', base: '90.00', amount: '17.10' },
    { name: null, rate: '0', base: '0.00', amount: '0.00' },
  ],
  taxTotal: '17.10',
  items: [
    { net: '60.00', total: '71.40', optional: false, preselected: false },
    { net: '40.00', total: '47.60', optional: true, preselected: true },
    { net: '9.00', total: '10.71', optional: true, preselected: false },
  ],
}

describe('checkTotals', () => {
  test.each([
    ['totals of lines', first],
    ['nets and taxes', second],
  ])('accepts %s that add up', (_name, content) => expect(checkTotals(content)).toMatchObject({ holds: true }))

  test.each([
    ['another total', { ...first, totalAmount: '119.01' }],
    ['another total with taxes', { ...second, totalAmount: '107.11' }],
    ['another subtotal', { ...second, subtotal: '100.01', totalAmount: '107.11' }],
    ['another tax', { ...second, taxTotal: '17.11', totalAmount: '107.11' }],
    ['another discount', { ...second, discountTotal: '9.99' }],
    ['an option that counts', { ...first, items: first.items.map((item) => ({ ...item, optional: false })) }],
    ['a line that is no amount', { ...first, items: [{ total: 'x' }] }],
    ['a line without a net', { ...second, items: [{ total: '1.00' }] }],
    ['a total that is no amount', { ...first, totalAmount: null }],
  ])('refuses %s', (_name, content) => expect(checkTotals(content)).toMatchObject({ check: 'totals', holds: false }))

  test.each([[{ totalAmount: '5.00' }], [{ totalAmount: '5.00', items: [] }], [{ items: 'x' }]])('cannot add up %j', (content) =>
    expect(checkTotals(content)).toMatchObject({ holds: null }),
  )
})
