import { idInput, type Proposal } from '@groundwork/api'
import type { Updateable } from 'kysely'
import type { ProposalTable, Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import { changeSilently, readProposal } from '../change.ts'
import type { ProposalContext } from '../context.ts'
import { dashboardUrl, enqueueNotices, enqueueProposalMails, subjectOf } from '../mail/enqueue.ts'
import { enqueueReminders, type Schedule } from '../mail/reminders.ts'
import { signersOf } from './turns.ts'

/** Queues the first reminders of a proposal, in the transaction that makes it pending. */
export async function enqueueFirstReminders(
  ctx: ProposalContext,
  trx: Transaction,
  { id, sentAt, signingOrder, schedule }: FirstReminders,
): Promise<void> {
  if (signingOrder !== 'sequential') return enqueueReminders(ctx, trx, { id, sentAt }, schedule)
  const { recipientId } = await trx
    .selectFrom('proposal_recipient')
    .select('id as recipientId')
    .where('proposal_id', '=', id)
    .where('position', '=', 0)
    .executeTakeFirstOrThrow()
  await enqueueReminders(ctx, trx, { id, sentAt, recipientId }, schedule)
}

interface FirstReminders {
  id: string
  sentAt: Date
  signingOrder: Proposal['signingOrder'] | undefined
  /** The settings of the organization; read by default. */
  schedule?: Schedule
}

/**
 * Changes a locked proposal that others still have to sign, sends it to the signer whose turn comes, or tells the owners of the
 * organization that its counter-signature is due, and emits the event.
 */
export async function changeSigned(
  ctx: ProposalContext,
  trx: Transaction,
  id: string,
  changes: Updateable<ProposalTable>,
): Promise<Proposal> {
  const signed = await changeSilently(ctx, trx, id, changes)
  const next = signersOf(signed).find(({ signedAt }) => signedAt === null)
  if (signed.signingOrder === 'sequential' && next !== undefined) {
    const recipientId = idInput('rcp').parse(next.id)
    await enqueueProposalMails(ctx, trx, { proposalId: id, kind: 'sent', recipientId })
    await enqueueReminders(ctx, trx, { id, sentAt: ctx.now(), recipientId })
  }
  if (next === undefined) await enqueueCountersignMails(ctx, trx, id)
  const proposal = await readProposal(ctx, trx, id)
  await emit(ctx, trx, 'proposal.signed', proposal)
  return proposal
}

/** Enqueues the message to the owners that all signers have signed. Only the counter-signature is missing. */
async function enqueueCountersignMails(ctx: ProposalContext, trx: Transaction, proposalId: string): Promise<void> {
  const subject = await subjectOf(ctx, trx, proposalId)
  const url = dashboardUrl(ctx, subject.organization, subject.proposal)
  await enqueueNotices(ctx, trx, { ...subject, kind: 'countersign', url })
}
