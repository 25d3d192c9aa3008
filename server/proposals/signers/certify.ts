import type { CertificateSigner } from '@groundwork/sdk/certificate'
import { issueCertificate } from '../../certificates/issue.ts'
import type { Transaction } from '../../db/schema.ts'
import type { Offer } from '../content-hash.ts'
import { contentHash } from '../content-hash.ts'
import type { ProposalContext } from '../context.ts'

/**
 * Issues the certificate of a proposal that everyone has signed, with the signers in their order and the organization last.
 * @throws Error if the offer is not the one that was signed
 */
export async function certify(ctx: ProposalContext, trx: Transaction, proposalId: string, offer: Offer, now: Date): Promise<void> {
  const accepted = await trx.selectFrom('proposal_acceptance').selectAll().where('proposal_id', '=', proposalId).executeTakeFirstOrThrow()
  if (accepted.content_hash !== contentHash(offer)) throw new Error('the content of the proposal is not the signed one')
  await issueCertificate(ctx, trx, {
    proposalId,
    canonicalContent: accepted.content,
    contentHash: accepted.content_hash,
    signers: [...(await signersOf(trx, proposalId)), ...(await counterSignersOf(trx, proposalId))],
    issuedAt: now,
  })
}

async function signersOf(trx: Transaction, proposalId: string): Promise<CertificateSigner[]> {
  const rows = await trx
    .selectFrom('proposal_signature as signature')
    .innerJoin('proposal_recipient as signer', 'signer.id', 'signature.recipient_id')
    .selectAll('signature')
    .select('signer.email')
    .where('signer.proposal_id', '=', proposalId)
    .orderBy('signer.position')
    .execute()
  return rows.map(({ name, email, method, wording, signed_at, address, user_agent }) => ({
    name,
    email,
    method,
    wording,
    signedAt: signed_at.toISOString(),
    address,
    userAgent: user_agent,
  }))
}

async function counterSignersOf(trx: Transaction, proposalId: string): Promise<CertificateSigner[]> {
  const rows = await trx.selectFrom('proposal_counter_signature').selectAll().where('proposal_id', '=', proposalId).execute()
  return rows.map(({ name, email, wording, signed_at, address }) => ({
    name,
    email,
    method: 'typed',
    wording,
    signedAt: signed_at.toISOString(),
    address,
    userAgent: null,
  }))
}
