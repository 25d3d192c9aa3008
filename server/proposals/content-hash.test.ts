import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { canonicalOffer, contentHash } from './content-hash.ts'

const item = {
  description: 'Work "on site"',
  quantity: '1',
  unitPrice: '5.00',
  discount: '0.00',
  discountPercent: null,
  taxRate: '0',
  taxes: [],
  optional: false,
  preselected: false,
  group: null,
  quantityRange: null,
  net: '5.00',
  total: '5.00',
}
const totals = { discount: null, discountPercent: null, subtotal: '5.00', discountTotal: '0.00', taxes: [], taxTotal: '0.00' }
const terms = { ...totals, pricesIncludeTax: false, contentVersion: 2 }
const offer = {
  number: 'P-1001',
  title: 'Offer',
  message: null,
  currency: 'EUR',
  totalAmount: '5.00',
  items: [item],
  sections: [],
  expiresAt: null,
  ...terms,
}

describe('contentHash', () => {
  it('is the SHA-256 of the canonical JSON', () => {
    const json =
      '{"contentVersion":2,"currency":"EUR","discount":null,"discountPercent":null,"discountTotal":"0.00","expiresAt":null,"items":[{"description":"Work \\"on site\\"","discount":"0.00","discountPercent":null,"group":null,"net":"5.00","optional":false,"preselected":false,"quantity":"1","quantityRange":null,"taxRate":"0","taxes":[],"total":"5.00","unitPrice":"5.00"}],"message":null,"number":"P-1001","pricesIncludeTax":false,"subtotal":"5.00","taxTotal":"0.00","taxes":[],"title":"Offer","totalAmount":"5.00"}'
    expect(canonicalOffer(offer)).toBe(json)
    expect(contentHash(offer)).toBe(createHash('sha256').update(json).digest('hex'))
  })

  it('of version 1 has the fields of that version', () => {
    const json =
      '{"currency":"EUR","expiresAt":null,"items":[{"description":"Work \\"on site\\"","discount":"0.00","optional":false,"quantity":"1","taxRate":"0","total":"5.00","unitPrice":"5.00"}],"message":null,"number":"P-1001","title":"Offer","totalAmount":"5.00"}'
    expect(contentHash({ ...offer, contentVersion: 1 })).toBe(createHash('sha256').update(json).digest('hex'))
  })

  it('of version 3 has the sections too', () => {
    const sections = [{ type: 'items' as const }, { type: 'terms' as const, text: 'Pay *now*' }]
    const withSections = { ...offer, sections, contentVersion: 3 }
    const json = canonicalOffer(offer)
      .replace('"contentVersion":2', '"contentVersion":3')
      .replace('"subtotal"', '"sections":[{"type":"items"},{"text":"Pay *now*","type":"terms"}],"subtotal"')
    expect(canonicalOffer(withSections)).toBe(json)
    expect(contentHash({ ...withSections, sections: sections.toReversed() })).not.toBe(contentHash(withSections))
  })

  it('does not depend on the order of property names', () => {
    const reordered = Object.fromEntries(Object.entries(item).toReversed()) as typeof item
    expect(contentHash({ ...offer, items: [reordered] })).toBe(contentHash(offer))
  })

  it('changes with every field that the recipient sees', () => {
    const changed = [
      { number: 'P-1002' },
      { number: null },
      { title: 'offer' },
      { message: '' },
      { currency: 'USD' },
      { totalAmount: '5.01' },
      { pricesIncludeTax: true },
      { discount: '1.00' },
      { discountPercent: '1' },
      { subtotal: '5.01' },
      { discountTotal: '0.01' },
      { taxes: [{ name: null, rate: '19', base: '5.00', amount: '0.95' }] },
      { taxTotal: '0.01' },
      { items: [] },
      { items: [item, item] },
      { items: [{ ...item, optional: true }] },
      { items: [{ ...item, quantityRange: { min: '1', max: '2', step: '1' } }] },
      { expiresAt: '2999-01-01T00:00:00.000Z' },
    ].map((change) => contentHash({ ...offer, ...change }))
    expect(new Set([contentHash(offer), ...changed]).size).toBe(19)
  })
})
