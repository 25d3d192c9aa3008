import type { EventType, Proposal } from '@groundwork/api'
import type { Updateable } from 'kysely'
import { defer } from '../db/deferred.ts'
import type { ProposalTable, Transaction } from '../db/schema.ts'
import { emit, emitProgress } from '../events/emit.ts'
import type { ProposalContext } from './context.ts'
import { enqueueProposalMails } from './mail/enqueue.ts'
import type { ProposalMailKind } from './mail/template.ts'
import { recipientsColumn } from './recipients.ts'
import { toProposal } from './record.ts'

type ProposalEventType = Extract<EventType, `proposal.${string}`>

/** The messages to recipients about events. */
const mailKinds: Partial<Record<ProposalEventType, ProposalMailKind>> = {
  'proposal.sent': 'sent',
  'proposal.completed': 'accepted',
  'proposal.rejected': 'declined',
  'proposal.voided': 'voided',
  'proposal.expired': 'expired',
}

/**
 * Changes a locked proposal, enqueues the messages about the change, and emits the event. Call it after all other changes of the
 * transaction; see `emit`.
 * @param options.after an event of the same change that comes before, without an audit entry of its own
 */
export async function changeProposal(
  ctx: ProposalContext,
  trx: Transaction,
  id: string,
  changes: Updateable<ProposalTable>,
  event: ProposalEventType,
  { after }: { after?: ProposalEventType } = {},
): Promise<Proposal> {
  const kind = mailKinds[event]
  await defer(trx, trx.updateTable('proposal').set(changes).where('id', '=', id).compile())
  if (kind !== undefined) await enqueueProposalMails(ctx, trx, { proposalId: id, kind })
  const proposal = await readProposal(ctx, trx, id)
  if (after !== undefined) await emitProgress(ctx, trx, after, proposal)
  await emit(ctx, trx, event, proposal)
  return proposal
}

/** Changes a locked proposal. The caller emits the event. */
export async function changeSilently(
  ctx: ProposalContext,
  trx: Transaction,
  id: string,
  changes: Updateable<ProposalTable>,
): Promise<Proposal> {
  await defer(trx, trx.updateTable('proposal').set(changes).where('id', '=', id).compile())
  return readProposal(ctx, trx, id)
}

/** Returns the record of a proposal that exists. */
export async function readProposal(ctx: ProposalContext, trx: Transaction, id: string): Promise<Proposal> {
  const row = await trx.selectFrom('proposal').selectAll().select(recipientsColumn).where('id', '=', id).executeTakeFirstOrThrow()
  return toProposal(ctx, row)
}
