import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { contentHash } from './content-hash.ts'

const item = {
  description: 'Work "on site"',
  quantity: '1',
  unitPrice: '5.00',
  discount: '0.00',
  taxRate: '0',
  optional: false,
  total: '5.00',
}
const offer = { number: 'P-1001', title: 'Offer', message: null, currency: 'EUR', totalAmount: '5.00', items: [item], expiresAt: null }

describe('contentHash', () => {
  it('is the SHA-256 of the canonical JSON', () => {
    const json =
      '{"currency":"EUR","expiresAt":null,"items":[{"description":"Work \\"on site\\"","discount":"0.00","optional":false,"quantity":"1","taxRate":"0","total":"5.00","unitPrice":"5.00"}],"message":null,"number":"P-1001","title":"Offer","totalAmount":"5.00"}'
    expect(contentHash(offer)).toBe(createHash('sha256').update(json).digest('hex'))
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
      { items: [] },
      { items: [item, item] },
      { items: [{ ...item, optional: true }] },
      { expiresAt: '2999-01-01T00:00:00.000Z' },
    ].map((change) => contentHash({ ...offer, ...change }))
    expect(new Set([contentHash(offer), ...changed]).size).toBe(11)
  })
})
