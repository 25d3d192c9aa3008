import { ProposalItemInput } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { acceptedOffer } from './accepted-offer.ts'
import type { Offer } from './content-hash.ts'
import { priceOf } from './price.ts'
import { lineOf } from './totals.ts'

function offerWith(items: object[], terms = {}): Offer {
  const lines = items.map((item) => lineOf(ProposalItemInput.parse({ description: 'x', unitPrice: '10', taxRate: '19', ...item })))
  const given = { totalAmount: undefined, pricesIncludeTax: false, discount: null, discountPercent: null, currency: 'EUR', ...terms }
  const price = priceOf({ lines, ...given })
  return { ...price, items: price.items ?? [], currency: 'EUR', number: 'P-1', title: 'T', message: null, expiresAt: null }
}

const refused = expect.objectContaining({ code: 'validation_error', field: 'choices' })

describe('acceptedOffer', () => {
  it('has the stored totals without choices', () => {
    // Other figures than the program calculates show that nothing is calculated again.
    const stored = { ...offerWith([{}]), totalAmount: '11.91' }
    expect(acceptedOffer(stored)).toEqual({
      lines: [{ line: 0, quantity: '1' }],
      subtotal: '10.00',
      discountTotal: '0.00',
      taxes: [{ name: null, rate: '19', base: '10.00', amount: '1.90' }],
      taxTotal: '1.90',
      totalAmount: '11.91',
    })
  })

  it('has the totals of the chosen lines and quantities', () => {
    const offer = offerWith([{ quantityRange: { min: '1', max: '5' } }, { optional: true, preselected: true }], { discountPercent: '50' })
    expect(acceptedOffer(offer, { lines: [], quantities: { 0: '3' } })).toMatchObject({
      lines: [{ line: 0, quantity: '3' }],
      subtotal: '30.00',
      discountTotal: '15.00',
      taxTotal: '2.85',
      totalAmount: '17.85',
    })
  })

  it('refuses a proposal with nothing fixed and nothing chosen', () => {
    const offer = offerWith([{ optional: true }, { group: 'a' }])
    for (const choices of [undefined, { lines: [] }, { lines: [0] }, { lines: [7] }])
      expect(() => acceptedOffer(offer, choices)).toThrow(refused)
    expect(acceptedOffer(offer, { lines: [1] }).totalAmount).toBe('11.90')
  })

  it('refuses a total of more than the maximum', () => {
    const offer = offerWith([{ unitPrice: '999999999', quantityRange: { min: '1', max: '999999999' } }])
    expect(() => acceptedOffer(offer, { quantities: { 0: '999999999' } })).toThrow(refused)
  })

  it('accepts a total without lines', () => {
    expect(acceptedOffer({ ...offerWith([{}]), items: [], totalAmount: '5.00' })).toMatchObject({ lines: [], totalAmount: '5.00' })
  })

  it('has no choices in version 1', () => {
    const totals = { subtotal: null, discountTotal: null, taxes: null, taxTotal: null }
    const former = { ...offerWith([{}, { optional: true }]), ...totals, contentVersion: 1, totalAmount: '11.90' }
    expect(acceptedOffer(former)).toEqual({ lines: [{ line: 0, quantity: '1' }], ...totals, totalAmount: '11.90' })
    expect(() => acceptedOffer(former, { lines: [1] })).toThrow(refused)
  })
})
