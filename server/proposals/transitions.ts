import type { Proposal } from '@groundwork/api'
import type { Updateable } from 'kysely'
import { withTransaction } from '../context.ts'
import type { ProposalTable, Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { enqueueExpiry } from './expiry.ts'
import type { ProposalContext } from './context.ts'
import { copyContact, recipientsColumn } from './recipients.ts'
import { toProposal } from './record.ts'
import { lockContact, lockProposal, nextProposalNumber } from './rows.ts'
import { requireTransition } from './states.ts'

/**
 * Makes a draft pending and assigns its number.
 * @throws AppError `not_found`; `conflict` if it is not a draft, its contact was deleted or expiresAt has passed
 */
export function sendProposal(ctx: ProposalContext, id: string): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    const before = await lockProposal(trx, id)
    requireTransition(before.status, 'pending')
    const now = ctx.now()
    const contact = await lockContact(trx, before.contact_id)
    if (contact === undefined) throw new AppError('conflict', 'the contact of the proposal was deleted', { field: 'contactId' })
    if (before.expires_at !== null && before.expires_at <= now) {
      throw new AppError('conflict', 'expiresAt has passed; change it before sending', { field: 'expiresAt' })
    }
    await enqueueExpiry(ctx, trx, before)
    await copyContact(trx, id, contact)
    const changes = { status: 'pending', number: await nextProposalNumber(trx), sent_at: now, updated_at: now } as const
    return change(ctx, trx, id, changes, 'proposal.sent')
  })
}

/**
 * Voids a draft or a pending proposal.
 * @throws AppError `not_found`, `conflict` in any other state
 */
export function voidProposal(ctx: ProposalContext, id: string, { reason }: { reason: string }): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    requireTransition((await lockProposal(trx, id)).status, 'voided')
    const now = ctx.now()
    const changes = { status: 'voided', voided_at: now, void_reason: reason, updated_at: now } as const
    return change(ctx, trx, id, changes, 'proposal.voided')
  })
}

async function change(
  ctx: ProposalContext,
  trx: Transaction,
  id: string,
  changes: Updateable<ProposalTable>,
  event: 'proposal.sent' | 'proposal.voided',
): Promise<Proposal> {
  const row = await trx
    .updateTable('proposal')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .returning(recipientsColumn)
    .executeTakeFirstOrThrow()
  const proposal = toProposal(ctx, row)
  await emit(ctx, trx, event, proposal)
  return proposal
}
