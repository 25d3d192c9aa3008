import type { Proposal } from '@groundwork/api'
import type { Updateable } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import type { ProposalTable, Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { enqueueExpiry } from './expiry.ts'
import { toProposal } from './record.ts'
import { lockContact, lockProposal, nextProposalNumber } from './rows.ts'
import { requireTransition } from './states.ts'

/**
 * Makes a draft pending and assigns its number.
 * @throws AppError `not_found`; `conflict` if it is not a draft, its contact was deleted or expiresAt has passed
 */
export function sendProposal(ctx: Context, id: string): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    const before = await lockProposal(trx, id)
    requireTransition(before.status, 'pending')
    const now = ctx.now()
    if (!(await lockContact(trx, before.contact_id)))
      throw new AppError('conflict', 'the contact of the proposal was deleted', { field: 'contactId' })
    if (before.expires_at !== null && before.expires_at <= now) {
      throw new AppError('conflict', 'expiresAt has passed; change it before sending', { field: 'expiresAt' })
    }
    await enqueueExpiry(ctx, trx, before)
    const changes = { status: 'pending', number: await nextProposalNumber(trx), sent_at: now, updated_at: now } as const
    return change(ctx, trx, id, changes, 'proposal.sent')
  })
}

/**
 * Voids a draft or a pending proposal.
 * @throws AppError `not_found`, `conflict` in any other state
 */
export function voidProposal(ctx: Context, id: string, { reason }: { reason: string }): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    requireTransition((await lockProposal(trx, id)).status, 'voided')
    const now = ctx.now()
    const changes = { status: 'voided', voided_at: now, void_reason: reason, updated_at: now } as const
    return change(ctx, trx, id, changes, 'proposal.voided')
  })
}

async function change(
  ctx: Context,
  trx: Transaction,
  id: string,
  changes: Updateable<ProposalTable>,
  event: 'proposal.sent' | 'proposal.voided',
): Promise<Proposal> {
  const proposal = toProposal(await trx.updateTable('proposal').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow())
  await emit(ctx, trx, event, proposal)
  return proposal
}
