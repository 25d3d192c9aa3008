import type { MailRow, Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import type { ProposalContext } from '../context.ts'
import { readProposal } from '../change.ts'

/** Emits `proposal.delivery_failed` if the message was to send a proposal, in the transaction that records its failure. */
export async function reportFailedDelivery(ctx: ProposalContext, trx: Transaction, { kind, proposal_id }: MailRow): Promise<void> {
  if (kind !== 'sent' || proposal_id === null) return
  await emit(ctx, trx, 'proposal.delivery_failed', await readProposal(ctx, trx, proposal_id))
}
