import type { EventType, Proposal } from '@groundwork/api'
import type { Updateable } from 'kysely'
import type { ProposalTable, Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import type { ProposalContext } from './context.ts'
import { recipientsColumn } from './recipients.ts'
import { toProposal } from './record.ts'

type ProposalEventType = Extract<EventType, `proposal.${string}`>

/** Changes a locked proposal and emits the event. Call it after all other changes of the transaction; see `emit`. */
export async function changeProposal(
  ctx: ProposalContext,
  trx: Transaction,
  id: string,
  changes: Updateable<ProposalTable>,
  event: ProposalEventType,
): Promise<Proposal> {
  const proposal = await changeSilently(ctx, trx, id, changes)
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
  const row = await trx
    .updateTable('proposal')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .returning(recipientsColumn)
    .executeTakeFirstOrThrow()
  return toProposal(ctx, row)
}
