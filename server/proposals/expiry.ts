import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import { changeProposal } from './change.ts'
import type { ProposalContext } from './context.ts'
import type { ProposalRow } from './record.ts'
import { allowedTransitions } from './states.ts'

interface ExpireProposal {
  proposalId: string
}

export const expireProposalWork = organizationWork<ExpireProposal, ProposalContext>('expire-proposal', (ctx, { proposalId }) =>
  expireProposal(ctx, proposalId),
)

/** Queues the expiry of a proposal, in the transaction that makes it pending. */
export async function enqueueExpiry(ctx: Context, trx: Transaction, row: Pick<ProposalRow, 'id' | 'expires_at'>): Promise<void> {
  if (row.expires_at === null) return
  const delaySeconds = Math.ceil((row.expires_at.getTime() - ctx.now().getTime()) / 1000)
  await enqueueWork(ctx, trx, expireProposalWork, { proposalId: row.id }, { delaySeconds })
}

/** Expires a proposal that is still pending. */
async function expireProposal(ctx: ProposalContext, id: string): Promise<void> {
  await withTransaction(ctx, async (trx) => {
    const row = await trx.selectFrom('proposal').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (row === undefined || row.expires_at === null || !allowedTransitions(row.status).includes('expired')) return
    const now = ctx.now()
    // The queue uses the database's clock, which may be ahead of this one.
    if (row.expires_at > now) return enqueueExpiry(ctx, trx, row)
    await changeProposal(ctx, trx, id, { status: 'expired', updated_at: now }, 'proposal.expired')
  })
}
