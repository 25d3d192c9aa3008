import type { Proposal } from '@groundwork/api'
import type { Transaction } from '../../db/schema.ts'
import { canonicalOffer, contentHash, type Offer } from '../content-hash.ts'
import type { ProposalContext } from '../context.ts'
import type { RecipientRow } from '../recipients.ts'
import { presentSeller } from '../seller.ts'
import type { Client, Signature } from './signature.ts'
import { isSigned } from './turns.ts'

/** Stores the signature of a signer, and with the first signature the content and the seller, to which all further ones agree. */
export async function storeSignature(
  { organizationId: organization_id }: ProposalContext,
  trx: Transaction,
  { recipient, proposal, now }: { recipient: RecipientRow; proposal: Proposal; now: Date },
  accepted: Offer,
  { name, drawing, wording }: Signature,
  { address, userAgent }: Client,
): Promise<void> {
  const { id: recipient_id, proposal_id } = recipient
  if (!isSigned(proposal)) {
    await trx
      .insertInto('proposal_acceptance')
      .values({
        organization_id,
        proposal_id,
        content: canonicalOffer(accepted),
        content_hash: contentHash(accepted),
        accepted_at: now,
        seller: presentSeller,
      })
      .execute()
  }
  const method = drawing === null ? 'typed' : 'drawn'
  await trx
    .insertInto('proposal_signature')
    .values({ organization_id, recipient_id, name, method, drawing, wording, signed_at: now, address, user_agent: userAgent })
    .execute()
  await trx.updateTable('proposal_recipient').set({ signed_at: now }).where('id', '=', recipient_id).execute()
}
