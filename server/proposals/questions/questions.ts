import { wireId, type AnswerQuestion, type ProposalQuestion } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { audit } from '../../audit/audit.ts'
import { select, withTransaction, type Context } from '../../context.ts'
import type { ProposalQuestionTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { ProposalContext } from '../context.ts'
import { answerMailColumn, deliveryOf, type SendingMail } from '../mail/delivery.ts'
import { lockProposal, requireProposal } from '../rows.ts'
import { enqueueAnswerMail } from './mails.ts'

/**
 * Returns the questions about a proposal, the oldest first.
 * @throws AppError `not_found`
 */
export function listQuestions(ctx: ProposalContext, proposalId: string): Promise<{ data: ProposalQuestion[] }> {
  return withTransaction(ctx, async (trx) => {
    await requireProposal(trx, proposalId)
    const rows = await withNames(trx)
      .where('proposal_question.proposal_id', '=', proposalId)
      .orderBy('proposal_question.position')
      .execute()
    return { data: rows.map(toQuestion) }
  })
}

/** Returns the questions of a contact about all proposals, the oldest first. */
export async function questionsOfContact(ctx: Context, contactId: string): Promise<ProposalQuestion[]> {
  const rows = await select(ctx, (db) =>
    withNames(db).where('recipient.contact_id', '=', contactId).orderBy('proposal_question.asked_at').orderBy('proposal_question.id'),
  )
  return rows.map(toQuestion)
}

/**
 * Stores the answer to a question, and sends it to the recipient who asked.
 * @throws AppError `not_found`; `conflict` if the question was answered before
 */
export function answerQuestion(
  ctx: ProposalContext,
  { proposalId, questionId }: { proposalId: string; questionId: string },
  { answer }: AnswerQuestion,
): Promise<ProposalQuestion> {
  return withTransaction(ctx, async (trx) => {
    await lockProposal(trx, proposalId)
    const before = await trx
      .selectFrom('proposal_question')
      .selectAll()
      .where('id', '=', questionId)
      .where('proposal_id', '=', proposalId)
      .executeTakeFirst()
    if (before === undefined) throw new AppError('not_found', 'There is no such question.')
    if (before.answer !== null) throw new AppError('conflict', 'The question was answered before.', { field: 'answer' })
    await trx.updateTable('proposal_question').set({ answer, answered_at: ctx.now() }).where('id', '=', questionId).execute()
    await enqueueAnswerMail(ctx, trx, { ...before, answer })
    await audit(ctx, trx, { action: 'proposal.question_answered', target: wireId('pqs', questionId) })
    return toQuestion(await withNames(trx).where('proposal_question.id', '=', questionId).executeTakeFirstOrThrow())
  })
}

/** Selects questions with the recipients who asked. The name of a deleted contact is null. */
const withNames = (trx: Transaction) =>
  trx
    .selectFrom('proposal_question')
    .innerJoin('proposal_recipient as recipient', 'recipient.id', 'proposal_question.recipient_id')
    .leftJoin('contact', 'contact.id', 'recipient.contact_id')
    .selectAll('proposal_question')
    .select(['recipient.contact_id', 'contact.deleted_at as contact_deleted_at', 'recipient.name', 'recipient.email'])
    .select(answerMailColumn.as('answer_mail'))

interface NamedQuestion extends Selectable<ProposalQuestionTable> {
  contact_id: string | null
  contact_deleted_at: Date | null
  name: string | null
  email: string | null
  answer_mail: SendingMail | null
}

const toQuestion = (row: NamedQuestion): ProposalQuestion => ({
  id: wireId('pqs', row.id),
  proposalId: wireId('prp', row.proposal_id),
  recipientId: wireId('rcp', row.recipient_id),
  contactId: row.contact_id && wireId('ctc', row.contact_id),
  name: row.contact_deleted_at === null ? row.name : null,
  question: row.question,
  askedAt: row.asked_at.toISOString(),
  answer: row.answer,
  answeredAt: row.answered_at?.toISOString() ?? null,
  delivery:
    row.answered_at === null
      ? null
      : deliveryOf(row.answer_mail, { hasAddress: row.email !== null, isHidden: row.contact_deleted_at !== null, refusal: null }).delivery,
})
