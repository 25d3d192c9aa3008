import type { Proposal, ProposalItem } from '@groundwork/api'
import { canonicalJson } from '@groundwork/sdk/canonical-json'
import { hash } from 'node:crypto'

type Fields = 'title' | 'message' | 'number' | 'currency' | 'totalAmount' | 'expiresAt'
type Totals = 'pricesIncludeTax' | 'discount' | 'discountPercent' | 'subtotal' | 'discountTotal' | 'taxes' | 'taxTotal'

/** The content of an offer, to which an acceptance binds both parties. */
export type Offer = Pick<Proposal, Fields | Totals | 'items' | 'sections' | 'contentVersion'>

/** Returns the SHA-256 of the offer's canonical JSON in hexadecimal, so that anyone can compute it. */
export const contentHash = (offer: Offer): string => hash('sha256', canonicalOffer(offer))

/** Returns the canonical JSON of the offer (RFC 8785) in the form of its version, so that the hash of a sent offer never changes. */
export function canonicalOffer(offer: Offer): string {
  const { number, title, message, currency, totalAmount, expiresAt, contentVersion, items } = offer
  if (contentVersion === 1) return canonicalJson({ number, title, message, currency, totalAmount, expiresAt, items: items.map(firstForm) })
  return canonicalJson({
    number,
    title,
    message,
    currency,
    totalAmount,
    expiresAt,
    pricesIncludeTax: offer.pricesIncludeTax,
    discount: offer.discount,
    discountPercent: offer.discountPercent,
    subtotal: offer.subtotal,
    discountTotal: offer.discountTotal,
    taxes: offer.taxes,
    taxTotal: offer.taxTotal,
    items,
    contentVersion,
    // Canonical JSON leaves out what is undefined.
    sections: contentVersion === 2 ? undefined : offer.sections,
  })
}

const firstForm = ({ description, quantity, unitPrice, discount, taxRate, optional, total }: ProposalItem): object => ({
  description,
  quantity,
  unitPrice,
  discount,
  taxRate,
  optional,
  total,
})
