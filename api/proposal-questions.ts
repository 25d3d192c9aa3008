import { z } from 'zod'
import { deliveryOutput } from './proposal-recipients.ts'
import { route } from './route.ts'
import { idInput, idOutput, text, Timestamp } from './schemas.ts'

/** Maximum length of a question in characters. */
export const maxQuestionLength = 2000

export const ProposalQuestion = z
  .object({
    id: idOutput('pqs'),
    proposalId: idOutput('prp'),
    recipientId: idOutput('rcp').describe('Id of the asking recipient.'),
    contactId: idOutput('ctc').nullable().describe('Id of the asking contact; null for a recipient without one.'),
    name: z.string().nullable().describe('Name of the asking recipient; null without one, or if the contact was deleted.'),
    question: z.string().describe(`The question, plain text of at most ${maxQuestionLength} characters.`),
    askedAt: Timestamp.describe('Time of the question.'),
    answer: z.string().nullable().describe('The answer, plain text; null until the question is answered.'),
    answeredAt: Timestamp.nullable().describe('Time of the answer; null until then.'),
    delivery: deliveryOutput.describe(
      'State of the email with the answer; null until then. The recipient can read the answer on the page of the proposal in any case.',
    ),
  })
  .meta({ id: 'ProposalQuestion', description: 'A question that a recipient asked on the page of a proposal, with its answer.' })
export type ProposalQuestion = z.input<typeof ProposalQuestion>

const AnswerQuestion = z
  .strictObject({ answer: text(1, 5000).describe('The answer, plain text with line breaks. The recipient reads it.') })
  .meta({
    id: 'AnswerQuestion',
    description: 'The answer to a question.',
    examples: [{ answer: 'Yes, helmets are included.' }],
  })
export type AnswerQuestion = z.output<typeof AnswerQuestion>

export const proposalQuestions = {
  list: route({
    method: 'GET',
    path: '/v1/proposals/{id}/questions',
    summary: 'List the questions about a proposal',
    description: 'Returns the questions of all recipients in the order in which they were asked, at most 100.',
    scope: 'proposals:read',
    params: z.object({ id: idInput('prp') }),
    status: 200,
    reply: z.object({ data: z.array(ProposalQuestion).describe('Questions with their answers, the oldest first.') }),
  }),
  answer: route({
    method: 'POST',
    path: '/v1/proposals/{id}/questions/{questionId}/answer',
    summary: 'Answer a question',
    description:
      'The recipient receives the answer by email and reads it on the page of the proposal. 409 if the question was answered before.',
    scope: 'proposals:write',
    params: z.object({ id: idInput('prp'), questionId: idInput('pqs') }),
    body: AnswerQuestion,
    status: 200,
    reply: ProposalQuestion,
    errors: ['conflict'],
  }),
}
