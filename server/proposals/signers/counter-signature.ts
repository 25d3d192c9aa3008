import type { Proposal } from '@groundwork/api'
import type { ShownSignature } from '../page/visit.ts'
import { sellerName, type Seller } from '../seller.ts'

/** Returns the sentence that the organization agrees to. The API documents it, and the dashboard shows it. */
export const counterSignatureWording = ({ totalAmount, currency }: Pick<Proposal, 'totalAmount' | 'currency'>): string =>
  `I sign this proposal for the organization, for a total of ${totalAmount} ${currency}.`

/** Returns the signature of the organization, with the name of the organization after that of the person; none before. */
export function counterSignatureOf(proposal: Proposal, seller: Seller): ShownSignature[] {
  const { counterSignedBy, counterSignedAt } = proposal
  if (counterSignedBy === null || counterSignedAt === null) return []
  return [
    {
      name: `${counterSignedBy}, ${sellerName(seller)}`,
      drawing: null,
      wording: counterSignatureWording(proposal),
      signed_at: counterSignedAt,
    },
  ]
}
