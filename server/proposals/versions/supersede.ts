import type { Proposal } from '@groundwork/api'
import type { Transaction } from '../../db/schema.ts'
import { readProposal } from '../change.ts'
import type { ProposalContext } from '../context.ts'
import { enqueueProposalMails } from '../mail/enqueue.ts'
import type { ProposalRow } from '../record.ts'
import { lockProposal } from '../rows.ts'
import { requireSupersedable } from '../states.ts'
import { requireNewest } from './copy.ts'

/**
 * Locks the proposal that a draft revises; returns undefined if the draft is no revision. Lock only the draft before: answers lock the
 * revised proposal before anything else, and another order could end in a deadlock.
 * @throws AppError `conflict` if the proposal can no longer be replaced, for instance because it was accepted
 */
export async function lockSuperseded(trx: Transaction, { supersedes }: ProposalRow): Promise<ProposalRow | undefined> {
  if (supersedes === null) return undefined
  const former = await lockProposal(trx, supersedes)
  requireNewest(former)
  requireSupersedable(former.status)
  return former
}

/**
 * Replaces a locked proposal by a version that is being sent. A pending proposal is voided, and recipients that the new version does
 * not have are told. The caller emits `proposal.superseded`.
 */
export async function supersede(
  ctx: ProposalContext,
  trx: Transaction,
  { id, status }: ProposalRow,
  by: { id: string; number: number },
): Promise<Proposal> {
  const now = ctx.now()
  const voided = { status: 'voided', voided_at: now, void_reason: `Replaced by P-${by.number}.` } as const
  await trx
    .updateTable('proposal')
    .set({ superseded_by: by.id, updated_at: now, ...(status === 'pending' && voided) })
    .where('id', '=', id)
    .execute()
  if (status === 'pending') await enqueueProposalMails(ctx, trx, { proposalId: id, kind: 'voided' })
  return readProposal(ctx, trx, id)
}
