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
  const { number, title, message, currency, totalAmount, expiresAt, contentVersion } = offer
  const common = { number, title, message, currency, totalAmount, expiresAt }
  if (contentVersion === 1) return canonicalJson({ ...common, items: offer.items.map(firstForm) })
  const { items, sections, pricesIncludeTax, discount, discountPercent, subtotal, discountTotal, taxes, taxTotal } = offer
  const totals = { pricesIncludeTax, discount, discountPercent, subtotal, discountTotal, taxes, taxTotal }
  const priced = { ...common, ...totals, items, contentVersion }
  return canonicalJson(contentVersion === 2 ? priced : { ...priced, sections })
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
