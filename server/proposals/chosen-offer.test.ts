import { ProposalItemInput } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { chosenOffer, requireAcceptable } from './chosen-offer.ts'
import { contentHash, type Offer } from './content-hash.ts'
import { priceOf } from './price.ts'
import { lineOf } from './totals.ts'

function offerWith(items: object[], terms = {}): Offer {
  const lines = items.map((item) => lineOf(ProposalItemInput.parse({ description: 'x', unitPrice: '10', taxRate: '19', ...item })))
  const given = { totalAmount: undefined, pricesIncludeTax: false, discount: null, discountPercent: null, currency: 'EUR', ...terms }
  const price = priceOf({ lines, ...given })
  return { ...price, items: price.items ?? [], sections: [], currency: 'EUR', number: 'P-1', title: 'T', message: null, expiresAt: null }
}

const refused = expect.objectContaining({ code: 'validation_error', field: 'choices' })

describe('chosenOffer', () => {
  it('is the offer with its stored figures if nothing was changed', () => {
    // Other figures than the program calculates show that nothing is calculated again.
    const stored = { ...offerWith([{}, { optional: true, preselected: true }]), totalAmount: '11.91' }
    expect(chosenOffer(stored, {})).toBe(stored)
    expect(chosenOffer(stored, { lines: [1] })).toBe(stored)
  })

  it('has the totals of the chosen lines and quantities', () => {
    const range = { min: '0', max: '5' }
    const offer = offerWith(
      [{ quantityRange: range }, { quantityRange: range }, { optional: true, preselected: true }, { optional: true }],
      {
        discountPercent: '50',
      },
    )
    const chosen = chosenOffer(offer, { lines: [3], quantities: { 0: '3', 1: '0' } })
    expect(chosen).toMatchObject({ subtotal: '40.00', discountTotal: '20.00', taxTotal: '3.80', totalAmount: '23.80' })
    expect(chosen.items.map(({ quantity, preselected, net }) => [quantity, preselected, net])).toEqual([
      ['3', false, '30.00'],
      ['0', false, '0.00'],
      ['1', false, '10.00'],
      ['1', true, '10.00'],
    ])
    expect(contentHash(chosen)).not.toBe(contentHash(offer))
    // Chosen again without choices, it stays the same.
    expect(chosenOffer(chosen, {})).toBe(chosen)
  })

  it('refuses choices that the proposal does not offer', () => {
    const offer = offerWith([{ quantityRange: { min: '1', max: '999999999' }, unitPrice: '999999999' }, {}])
    for (const choices of [{ lines: [1] }, { lines: [7] }, { quantities: { 1: '2' } }, { quantities: { 0: '999999999' } }])
      expect(() => chosenOffer(offer, choices)).toThrow(refused)
  })

  it('has no choices in version 1', () => {
    const former = { ...offerWith([{}, { optional: true }]), contentVersion: 1 }
    expect(chosenOffer(former, {})).toBe(former)
    expect(() => chosenOffer(former, { lines: [1] })).toThrow(refused)
  })
})

describe('requireAcceptable', () => {
  it('refuses an offer with nothing fixed and nothing chosen, or without a line of a group', () => {
    const options = offerWith([{ optional: true }])
    expect(() => requireAcceptable(options)).toThrow(refused)
    expect(() => requireAcceptable(offerWith([{}, { group: 'a' }]))).toThrow(refused)
    for (const acceptable of [chosenOffer(options, { lines: [0] }), offerWith([{}]), { ...options, items: [] }])
      requireAcceptable(acceptable)
  })
})
