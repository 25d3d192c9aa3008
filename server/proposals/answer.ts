import type { Proposal } from '@groundwork/api'
import type { Choices } from '@groundwork/api/choices'
import type { Updateable } from 'kysely'
import { withTransaction } from '../context.ts'
import { issueCertificate } from '../certificates/issue.ts'
import type { ProposalTable, Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { chosenOffer, requireAcceptable } from './chosen-offer.ts'
import { canonicalOffer, contentHash as hashOf, type Offer } from './content-hash.ts'
import { changeProposal, readProposal } from './change.ts'
import type { ProposalContext } from './context.ts'
import type { RecipientRow } from './recipients.ts'
import { chosenColumns } from './record.ts'
import { lockProposal, noSuchProposal } from './rows.ts'
import { requireTransition } from './states.ts'
import { markViewed } from './view.ts'

/** The origin of a recipient's answer. */
export interface Client {
  readonly address: string
  readonly userAgent: string | null
}

/** How a signer accepts a proposal. */
export interface Signature {
  readonly name: string
  /** The signature as SVG if it was drawn; null if the name was typed. */
  readonly drawing: string | null
  /** The sentence that the signer agreed to. */
  readonly wording: string
  /** The `contentHash` of the proposal that the signer read. */
  readonly contentHash: string
  /** Options and quantities that the signer chose; by default, those of the proposal. */
  readonly choices?: Choices
}

/**
 * Accepts a pending proposal in the name of a signer, stores the accepted content and the signature, and issues the certificate. The
 * items and totals of the proposal become those that the signer chose.
 * @throws AppError `not_found`; `conflict` in any other state, if it has expired, or with field `contentHash` for other content;
 * `validation_error` if the proposal does not offer the choices or no line is left
 */
export function acceptProposal(ctx: ProposalContext, recipientId: string, signature: Signature, client: Client): Promise<Proposal> {
  const ending = { to: 'completed', event: 'proposal.completed', contentHash: signature.contentHash } as const
  return answer(ctx, recipientId, ending, async (trx, answerable) => {
    const { proposal, now } = answerable
    const accepted = chosenOffer(proposal, signature.choices ?? {})
    requireAcceptable(accepted)
    await storeAcceptance(ctx, trx, answerable, accepted, signature, client)
    return { ...(accepted !== proposal && chosenColumns(accepted)), status: 'completed', completed_at: now, updated_at: now }
  })
}

/**
 * Declines a pending proposal in the name of a signer.
 * @throws AppError `not_found`; `conflict` in any other state, if it has expired, or with field `contentHash` for other content
 */
export function declineProposal(
  ctx: ProposalContext,
  recipientId: string,
  { reason, contentHash }: { reason: string | null; contentHash: string },
): Promise<Proposal> {
  return answer(ctx, recipientId, { to: 'rejected', event: 'proposal.rejected', contentHash }, async (trx, { now }) => {
    await trx.updateTable('proposal_recipient').set({ declined_at: now }).where('id', '=', recipientId).execute()
    return { status: 'rejected', rejected_at: now, reject_reason: reason, updated_at: now }
  })
}

async function storeAcceptance(
  ctx: ProposalContext,
  trx: Transaction,
  { recipient, now }: Answerable,
  accepted: Offer,
  { name, drawing, wording }: Signature,
  client: Client,
): Promise<void> {
  const { organizationId: organization_id } = ctx
  const { id: recipient_id, proposal_id, email } = recipient
  const { address, userAgent } = client
  const content = canonicalOffer(accepted)
  const hash = hashOf(accepted)
  const method = drawing === null ? 'typed' : 'drawn'
  await trx
    .insertInto('proposal_acceptance')
    .values({ organization_id, proposal_id, content, content_hash: hash, accepted_at: now })
    .execute()
  await trx
    .insertInto('proposal_signature')
    .values({ organization_id, recipient_id, name, method, drawing, wording, signed_at: now, address, user_agent: userAgent })
    .execute()
  await trx.updateTable('proposal_recipient').set({ signed_at: now }).where('id', '=', recipient_id).execute()
  await issueCertificate(ctx, trx, {
    proposalId: proposal_id,
    canonicalContent: content,
    contentHash: hash,
    signers: [{ name, email, method, wording, signedAt: now.toISOString(), address, userAgent }],
    issuedAt: now,
  })
}

interface Answerable {
  readonly recipient: RecipientRow
  readonly proposal: Proposal
  readonly now: Date
}

/**
 * Locks the proposal, so that of concurrent answers, voiding and expiry the first one wins. `store` returns the changes of the
 * proposal.
 */
function answer(
  ctx: ProposalContext,
  recipientId: string,
  {
    to,
    event,
    contentHash: expected,
  }: { to: 'completed' | 'rejected'; event: 'proposal.completed' | 'proposal.rejected'; contentHash: string },
  store: (trx: Transaction, answerable: Answerable) => Promise<Updateable<ProposalTable>>,
): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    const recipient = await trx
      .selectFrom('proposal_recipient')
      .selectAll()
      .where('id', '=', recipientId)
      .where('role', '=', 'signer')
      .executeTakeFirst()
    if (recipient === undefined) throw noSuchProposal()
    const { status, expires_at } = await lockProposal(trx, recipient.proposal_id)
    requireTransition(status, to)
    const now = ctx.now()
    if (expires_at !== null && expires_at <= now) throw new AppError('conflict', 'the proposal has expired', { field: 'status' })
    const proposal = await readProposal(ctx, trx, recipient.proposal_id)
    if (proposal.contentHash !== expected)
      throw new AppError('conflict', 'the proposal has changed since it was read', { field: 'contentHash' })
    const viewed = await markViewed(ctx, trx, recipient, now)
    const changes = await store(trx, { recipient, proposal, now })
    if (viewed !== undefined) await emit(ctx, trx, 'proposal.viewed', viewed)
    return changeProposal(ctx, trx, recipient.proposal_id, changes, event)
  })
}
