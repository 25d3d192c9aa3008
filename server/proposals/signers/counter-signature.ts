import type { Proposal } from '@groundwork/api'
import type { ExpressionBuilder } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { ShownSignature } from '../page/visit.ts'
import { sellerName, type Seller } from '../seller.ts'

/** Selects the sentence of the organization's signature with each proposal; null before it. */
export const counterWordingColumn = (eb: ExpressionBuilder<Schema, 'proposal'>) =>
  eb
    .selectFrom('proposal_counter_signature')
    .select('wording')
    .whereRef('proposal_counter_signature.proposal_id', '=', 'proposal.id')
    .as('counter_wording')

/** Returns the signature of the organization, with the name of the organization after that of the person; none before. */
export function counterSignatureOf(proposal: Proposal, seller: Seller): Omit<ShownSignature, 'wording'>[] {
  const { counterSignedBy, counterSignedAt } = proposal
  if (counterSignedBy === null || counterSignedAt === null) return []
  return [{ name: `${counterSignedBy}, ${sellerName(seller)}`, drawing: null, signed_at: counterSignedAt }]
}
