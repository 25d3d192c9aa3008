import type { Proposal, SendProposal } from '@groundwork/api'
import { withTransaction } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { changeProposal } from './change.ts'
import { contentHash } from './content-hash.ts'
import { enqueueExpiry } from './expiry.ts'
import type { ProposalContext } from './context.ts'
import { senderOf } from './mail/reply-to.ts'
import { copyContact } from './recipients.ts'
import { offerOf, type ProposalRow } from './record.ts'
import { lockContact, lockProposal, nextProposalNumber } from './rows.ts'
import { copyFurtherContacts } from './signers/further-recipients.ts'
import { enqueueFirstReminders } from './signers/next-turn.ts'
import { requireTransition } from './states.ts'
import { lockSuperseded, supersede } from './versions/supersede.ts'

/**
 * Makes a draft pending and assigns its number. A revision replaces the proposal that it revises.
 * @throws AppError `not_found`; `conflict` if it is not a draft, a recipient was deleted, expiresAt has passed, or the revised proposal is final;
 * `precondition_failed` if its content has another hash than expected
 */
export function sendProposal(ctx: ProposalContext, id: string, { expectContentHash }: SendProposal = {}): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    const before = await lockProposal(trx, id)
    requireTransition(before.status, 'pending')
    requireContent(before, expectContentHash)
    const former = await lockSuperseded(trx, before)
    const now = ctx.now()
    const contact = await lockContact(trx, before.contact_id)
    if (contact === undefined) throw new AppError('conflict', 'The contact of the proposal was deleted.', { field: 'contactId' })
    if (before.expires_at !== null && before.expires_at <= now) {
      throw new AppError('conflict', 'expiresAt has passed; change it before sending', { field: 'expiresAt' })
    }
    await enqueueExpiry(ctx, trx, before)
    await enqueueFirstReminders(ctx, trx, { id, sentAt: now, signingOrder: before.signing_order })
    await copyContact(trx, id, contact)
    await copyFurtherContacts(trx, id, contact.id)
    const number = await nextProposalNumber(trx)
    const replaced = former && (await supersede(ctx, trx, former, { id, number }))
    const changes = { status: 'pending', number, sent_at: now, sent_by: senderOf(ctx), updated_at: now } as const
    const sent = await changeProposal(ctx, trx, id, changes, 'proposal.sent')
    if (replaced !== undefined) await emit(ctx, trx, 'proposal.superseded', replaced)
    return sent
  })
}

/**
 * Voids a draft or a pending proposal.
 * @throws AppError `not_found`, `conflict` in any other state
 */
export function voidProposal(ctx: ProposalContext, id: string, { reason }: { reason: string }): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    requireTransition((await lockProposal(trx, id)).status, 'voided')
    return voidLocked(ctx, trx, id, reason)
  })
}

/** Voids a locked proposal that can be voided. */
export function voidLocked(ctx: ProposalContext, trx: Transaction, id: string, reason: string): Promise<Proposal> {
  const now = ctx.now()
  const changes = { status: 'voided', voided_at: now, void_reason: reason, updated_at: now } as const
  return changeProposal(ctx, trx, id, changes, 'proposal.voided')
}

function requireContent(draft: ProposalRow, expected: string | undefined): void {
  const actual = contentHash(offerOf(draft))
  if (expected === undefined || expected === actual) return
  throw new AppError('precondition_failed', `The contentHash of the draft is ${actual}. Read it again before sending.`, {
    field: 'expectContentHash',
  })
}
