import { wireId, type Proposal } from '@groundwork/api'
import type { Updateable } from 'kysely'
import { withTransaction } from '../context.ts'
import type { ProposalTable, Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { chosenOffer, requireAcceptable } from './chosen-offer.ts'
import { changeProposal, readProposal } from './change.ts'
import { requireUnexpired } from './checks.ts'
import type { ProposalContext } from './context.ts'
import type { RecipientRow } from './recipients.ts'
import { chosenColumns } from './record.ts'
import { lockForSigner } from './rows.ts'
import { certify } from './signers/certify.ts'
import { changeSigned } from './signers/next-turn.ts'
import type { Client, Signature } from './signers/signature.ts'
import { storeSignature } from './signers/store-signature.ts'
import { isSigned, needsSeveral, signersOf } from './signers/turns.ts'
import { requireTransition } from './states.ts'
import { markViewed } from './view.ts'

/**
 * Accepts a pending proposal in the name of a signer and stores the signature. The first signature also stores the content: the items
 * and totals of the proposal become those that the signer chose. The last one completes the proposal and issues the certificate.
 * @throws AppError `not_found`; `conflict` in any other state, if it has expired, with field `recipients` if the signer has signed or
 * must wait for another one, or with field `contentHash` for other content; `validation_error` if the proposal does not offer the
 * choices or no line is left
 */
export function acceptProposal(ctx: ProposalContext, recipientId: string, signature: Signature, client: Client): Promise<Proposal> {
  return answer(ctx, recipientId, { to: 'completed', contentHash: signature.contentHash }, async (trx, answerable) => {
    const { proposal, recipient, now } = answerable
    const accepted = chosenOffer(proposal, signature.choices ?? {})
    if (accepted !== proposal && isSigned(proposal)) throw changed()
    requireAcceptable(accepted)
    await storeSignature(ctx, trx, answerable, accepted, signature, client)
    const changes = { ...(accepted !== proposal && chosenColumns(accepted)), updated_at: now }
    const othersSigned = signersOf(proposal).every(({ id, signedAt }) => signedAt !== null || id === wireId('rcp', recipientId))
    if (!othersSigned || proposal.counterSignature) return { event: 'proposal.signed', changes }
    await certify(ctx, trx, recipient.proposal_id, accepted, now)
    const end = { ...changes, status: 'completed', completed_at: now } as const
    return { event: 'proposal.completed', changes: end, ...(needsSeveral(proposal) && { after: 'proposal.signed' as const }) }
  })
}

/**
 * Declines a pending proposal in the name of a signer.
 * @throws AppError `not_found`; `conflict` in any other state, if it has expired, with field `recipients` if the signer has signed or
 * must wait for another one, or with field `contentHash` for other content
 */
export function declineProposal(
  ctx: ProposalContext,
  recipientId: string,
  { reason, contentHash }: { reason: string | null; contentHash: string },
): Promise<Proposal> {
  return answer(ctx, recipientId, { to: 'rejected', contentHash }, async (trx, { now }) => {
    await trx.updateTable('proposal_recipient').set({ declined_at: now }).where('id', '=', recipientId).execute()
    return { event: 'proposal.rejected', changes: { status: 'rejected', rejected_at: now, reject_reason: reason, updated_at: now } }
  })
}

interface Answerable {
  readonly recipient: RecipientRow
  readonly proposal: Proposal
  readonly now: Date
}

interface Change {
  readonly event: 'proposal.signed' | 'proposal.completed' | 'proposal.rejected'
  /** An event that `event` follows. */
  readonly after?: 'proposal.signed'
  readonly changes: Updateable<ProposalTable>
}

/**
 * Locks the proposal, so that of concurrent answers, voiding and expiry the first one wins. `store` returns the changes of the
 * proposal.
 */
function answer(
  ctx: ProposalContext,
  recipientId: string,
  { to, contentHash: expected }: { to: 'completed' | 'rejected'; contentHash: string },
  store: (trx: Transaction, answerable: Answerable) => Promise<Change>,
): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    const { recipient, proposal: stored } = await lockForSigner(trx, recipientId)
    const { proposal_id } = recipient
    requireTransition(stored.status, to)
    const now = ctx.now()
    requireUnexpired(stored.expires_at, now)
    const proposal = await readProposal(ctx, trx, proposal_id)
    requireTurn(proposal, recipientId)
    if (proposal.contentHash !== expected) throw changed()
    const viewed = await markViewed(ctx, trx, recipient, now)
    const { event, changes, ...options } = await store(trx, { recipient, proposal, now })
    if (viewed !== undefined) await emit(ctx, trx, 'proposal.viewed', viewed)
    if (event === 'proposal.signed') return changeSigned(ctx, trx, proposal_id, changes)
    return changeProposal(ctx, trx, proposal_id, changes, event, options)
  })
}

function requireTurn({ recipients }: Proposal, recipientId: string): void {
  const status = recipients.find(({ id }) => id === wireId('rcp', recipientId))?.status
  const reason =
    status === 'signed'
      ? 'This recipient has already signed the proposal.'
      : status === 'waiting'
        ? 'An earlier signer has not signed the proposal yet.'
        : undefined
  if (reason !== undefined) throw new AppError('conflict', reason, { field: 'recipients' })
}

const changed = (): AppError => new AppError('conflict', 'The proposal has changed since it was read.', { field: 'contentHash' })
