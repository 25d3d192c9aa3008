import type { Selectable } from 'kysely'
import type { ProposalQuestionTable, Transaction } from '../../db/schema.ts'
import { enqueueMail } from '../../mail/send.ts'
import type { ProposalContext } from '../context.ts'
import { contentOf, dashboardUrl, enqueueNotices, recipientsOf, subjectOf } from '../mail/enqueue.ts'
import { replyToOf } from '../mail/reply-to.ts'
import { doNotContact } from '../mail/withhold.ts'
import type { RecipientRow } from '../recipients.ts'

/** Enqueues the message about a question to the owners of the organization, in its language. */
export async function enqueueQuestionMails(
  ctx: ProposalContext,
  trx: Transaction,
  { recipient, position, question }: { recipient: RecipientRow; position: number; question: string },
): Promise<void> {
  const { proposal, organization } = await subjectOf(ctx, trx, recipient.proposal_id)
  const url = dashboardUrl(ctx, organization, proposal)
  await enqueueNotices(ctx, trx, {
    proposal,
    organization,
    kind: 'question',
    question: { askedBy: recipient.name ?? recipient.email, question, answer: null },
    url,
    contactId: recipient.contact_id,
    occurrence: position,
  })
}

/**
 * Enqueues the answer to a question to the recipient who asked, if the recipient has an address and was not deleted. It is stored as
 * withheld if the recipient refuses email.
 */
export async function enqueueAnswerMail(
  ctx: ProposalContext,
  trx: Transaction,
  { proposal_id, recipient_id, position, question, answer }: Selectable<ProposalQuestionTable>,
): Promise<void> {
  const recipient = (await recipientsOf(trx, proposal_id, 'answer')).find(({ id }) => id === recipient_id)
  if (recipient === undefined) return
  const { proposal, organization } = await subjectOf(ctx, trx, proposal_id)
  const language = recipient.language ?? organization.language
  const content = contentOf(ctx, {
    proposal,
    organization,
    kind: 'answer',
    recipient: { ...recipient, language },
    question: { askedBy: null, question, answer },
  })
  await enqueueMail(ctx, trx, {
    kind: 'answer',
    to: recipient.email,
    replyTo: await replyToOf(trx, proposal, organization),
    ...content,
    proposal: { proposalId: proposal_id, recipientId: recipient_id, contactId: recipient.contact_id, occurrence: position },
    withheld: recipient.refuses ? doNotContact : null,
  })
}
