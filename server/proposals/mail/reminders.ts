import { withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import { enqueueWork, organizationWork } from '../../work.ts'
import type { ProposalContext } from '../context.ts'
import { readProposal } from '../change.ts'
import { timeZoneOf } from '../checks.ts'
import { addDays } from './add-days.ts'
import { enqueueProposalMails } from './enqueue.ts'

/** Days after sending on which recipients without an answer are reminded, at the time of day of sending. */
export const reminderDays = [3, 7, 14] as const

interface RemindProposal {
  proposalId: string
  /** One of `reminderDays`. */
  day: number
}

export const remindProposalWork = organizationWork<RemindProposal, ProposalContext>('remind-proposal', remindProposal)

/** Queues the first reminder of a proposal, in the transaction that makes it pending. */
export function enqueueReminders(ctx: ProposalContext, trx: Transaction, sent: { id: string; sentAt: Date }): Promise<void> {
  return enqueueNext(ctx, trx, { ...sent, after: 0 })
}

/** Reminds of a proposal that is still pending, and queues the next reminder. */
async function remindProposal(ctx: ProposalContext, { proposalId, day }: RemindProposal): Promise<void> {
  await withTransaction(ctx, async (trx) => {
    const proposal = await trx
      .selectFrom('proposal')
      .selectAll()
      .where('id', '=', proposalId)
      .where('status', '=', 'pending')
      .forUpdate()
      .executeTakeFirst()
    const now = ctx.now()
    if (proposal === undefined || proposal.sent_at === null) return
    if (proposal.expires_at !== null && proposal.expires_at <= now) return
    const due = { id: proposal.id, sentAt: proposal.sent_at }
    const timeZone = await timeZoneOf(trx)
    // The queue uses the database's clock, which may be ahead of this one.
    if (addDays(due.sentAt, day, timeZone) > now) return enqueueAt(ctx, trx, { ...due, day, timeZone })
    await enqueueNext(ctx, trx, { ...due, after: day })
    // After a long stop of the program, one reminder is enough.
    const next = dayAfter(day)
    if (next !== undefined && addDays(due.sentAt, next, timeZone) <= now) return
    if ((await enqueueProposalMails(ctx, trx, { proposalId, kind: 'reminder', occurrence: day })) === 0) return
    await emit(ctx, trx, 'proposal.reminded', await readProposal(ctx, trx, proposalId))
  })
}

const dayAfter = (day: number): number | undefined => reminderDays.find((each) => each > day)

async function enqueueNext(
  ctx: ProposalContext,
  trx: Transaction,
  { id, sentAt, after }: { id: string; sentAt: Date; after: number },
): Promise<void> {
  const day = dayAfter(after)
  if (day !== undefined) await enqueueAt(ctx, trx, { id, sentAt, day, timeZone: await timeZoneOf(trx) })
}

interface Due {
  id: string
  sentAt: Date
  day: number
  timeZone: string
}

function enqueueAt(ctx: ProposalContext, trx: Transaction, { id, sentAt, day, timeZone }: Due): Promise<void> {
  const delayMs = addDays(sentAt, day, timeZone).getTime() - ctx.now().getTime()
  return enqueueWork(ctx, trx, remindProposalWork, { proposalId: id, day }, { delaySeconds: Math.max(0, Math.ceil(delayMs / 1000)) })
}
