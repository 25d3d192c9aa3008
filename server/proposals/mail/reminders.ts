import type { Selectable } from 'kysely'
import { withTransaction } from '../../context.ts'
import type { OrganizationTable, Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import { enqueueWork, organizationWork } from '../../work.ts'
import type { ProposalContext } from '../context.ts'
import { readProposal } from '../change.ts'
import { addDays } from './add-days.ts'
import { enqueueProposalMails } from './enqueue.ts'

interface RemindProposal {
  proposalId: string
  /** Days after sending, one of the organization's reminder days when the job was queued. */
  day: number
  /** The only recipient, if it was sent to one signer after the other, and the time at which it was sent to this one, ISO 8601. */
  recipientId?: string | undefined
  sentAt?: string | undefined
}

export const remindProposalWork = organizationWork<RemindProposal, ProposalContext>('remind-proposal', remindProposal)

/**
 * Queues the first reminder of a proposal for the time of day of sending. Call it in the transaction that makes the proposal pending,
 * or that sends it to the next signer.
 * @param sent.recipientId the only signer to remind; all by default
 * @param schedule the settings of the organization; read by default
 */
export async function enqueueReminders(ctx: ProposalContext, trx: Transaction, sent: Reminded, schedule?: Schedule): Promise<void> {
  await enqueueNext(ctx, trx, { ...sent, after: 0 }, schedule ?? (await scheduleOf(trx)))
}

/** Reminds of a proposal that is still pending, unless the organization no longer reminds on this day, and queues the next reminder. */
async function remindProposal(ctx: ProposalContext, { proposalId, day, recipientId, sentAt }: RemindProposal): Promise<void> {
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
    const due = { id: proposal.id, sentAt: sentAt === undefined ? proposal.sent_at : new Date(sentAt), recipientId }
    const schedule = await scheduleOf(trx)
    const { time_zone: timeZone, reminder_days: days } = schedule
    // The queue uses the database's clock, which may be ahead of this one.
    if (addDays(due.sentAt, day, timeZone) > now) return enqueueAt(ctx, trx, { ...due, day, timeZone })
    await enqueueNext(ctx, trx, { ...due, after: day }, schedule)
    if (!days.includes(day)) return
    // After a long stop of the program, one reminder is enough.
    const next = dayAfter(day, days)
    if (next !== undefined && addDays(due.sentAt, next, timeZone) <= now) return
    const mails = { proposalId, kind: 'reminder', occurrence: day, recipientId, sentAt: due.sentAt } as const
    if ((await enqueueProposalMails(ctx, trx, mails)) === 0) return
    await emit(ctx, trx, 'proposal.reminded', await readProposal(ctx, trx, proposalId))
  })
}

const dayAfter = (day: number, days: readonly number[]): number | undefined => days.find((each) => each > day)

async function enqueueNext(
  ctx: ProposalContext,
  trx: Transaction,
  { after, ...reminded }: Reminded & { after: number },
  { time_zone: timeZone, reminder_days: days }: Schedule,
): Promise<void> {
  const day = dayAfter(after, days)
  if (day !== undefined) await enqueueAt(ctx, trx, { ...reminded, day, timeZone })
}

/** The time zone, and the days after sending on which the organization reminds recipients without an answer, in ascending order. */
export type Schedule = Pick<Selectable<OrganizationTable>, 'time_zone' | 'reminder_days'>

const scheduleOf = (trx: Transaction): Promise<Schedule> =>
  trx.selectFrom('organization').select(['time_zone', 'reminder_days']).executeTakeFirstOrThrow()

interface Reminded {
  id: string
  sentAt: Date
  recipientId?: string | undefined
}

interface Due extends Reminded {
  day: number
  timeZone: string
}

function enqueueAt(ctx: ProposalContext, trx: Transaction, { id, sentAt, recipientId, day, timeZone }: Due): Promise<void> {
  const delayMs = addDays(sentAt, day, timeZone).getTime() - ctx.now().getTime()
  const job = { proposalId: id, day, ...(recipientId !== undefined && { recipientId, sentAt: sentAt.toISOString() }) }
  return enqueueWork(ctx, trx, remindProposalWork, job, { delaySeconds: Math.max(0, Math.ceil(delayMs / 1000)) })
}
