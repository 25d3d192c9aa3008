import { withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { readProposal } from '../change.ts'
import type { ProposalContext } from '../context.ts'
import { lockForSigner } from '../rows.ts'
import { markViewed } from '../view.ts'
import { enqueueQuestionMails } from './mails.ts'

/** Questions about a proposal that are stored. */
const maxQuestions = 100

/**
 * Stores a question of a signer about a pending proposal, and tells the owners of the organization. A question that is still
 * unanswered is not stored again.
 * @throws AppError `not_found`; `conflict` if the proposal is not pending or has expired, or after 100 questions about it
 */
export function askQuestion(ctx: ProposalContext, recipientId: string, question: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    const { recipient, proposal } = await lockForSigner(trx, recipientId)
    const { id: proposalId, status, expires_at } = proposal
    const now = ctx.now()
    if (status !== 'pending' || (expires_at !== null && expires_at <= now))
      throw new AppError('conflict', 'Questions can be asked only while the proposal is pending.', { field: 'status' })
    const before = await questionsOf(trx, proposalId)
    if (before.some((each) => each.recipient_id === recipientId && each.question === question && each.answer === null)) return
    if (before.length >= maxQuestions) throw new AppError('conflict', `A proposal has at most ${maxQuestions} questions.`)
    const position = before.length + 1
    await trx
      .insertInto('proposal_question')
      .values({
        organization_id: ctx.organizationId,
        id: newId(now.getTime()),
        proposal_id: proposalId,
        recipient_id: recipientId,
        position,
        question,
        asked_at: now,
        answer: null,
        answered_at: null,
      })
      .execute()
    const viewed = await markViewed(ctx, trx, recipient, now)
    await enqueueQuestionMails(ctx, trx, { recipient, position, question })
    if (viewed !== undefined) await emit(ctx, trx, 'proposal.viewed', viewed)
    await emit(ctx, trx, 'proposal.question_asked', await readProposal(ctx, trx, proposalId))
  })
}

const questionsOf = (trx: Transaction, proposalId: string) =>
  trx.selectFrom('proposal_question').select(['recipient_id', 'question', 'answer']).where('proposal_id', '=', proposalId).execute()
