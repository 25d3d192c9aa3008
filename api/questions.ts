import { z } from 'zod'
import { documented, someOf } from './field-rules.ts'
import { route } from './route.ts'
import { clearableText, createdAt, idInput, idOutput, pageOf, pageQuery, text, updatedAt } from './schemas.ts'

/** Maximum number of evaluation questions in a knowledge base. */
export const maxQuestions = 2000

/** A question with its expected answer. */
export const Question = z
  .object({
    id: idOutput('qst'),
    baseId: idOutput('kb'),
    question: z.string().meta({ description: 'The question, as users would ask it.', examples: ['When do you open on Sunday?'] }),
    expectedSourceIds: z.array(idOutput('src')).describe('Sources with the answer. Deleted sources are left out.'),
    expectedText: z
      .string()
      .nullable()
      .describe('Text that a correct passage contains; null if any passage of the expected sources is correct.'),
    note: z.string().describe('Note of your own; empty without one.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Question', description: 'An evaluation question with its expected answer.' })
export type Question = z.input<typeof Question>

const question = text(1, 4000).describe('The question, as users would ask it.')
const expectedSourceIds = z
  .array(idInput('src'))
  .max(20)
  .transform((ids) => [...new Set(ids)])
  .meta({ description: 'Ids of sources of the knowledge base with the answer, at most 20.' })
const expectedText = text(1, 2000).nullable().meta({
  description:
    'Text that a correct passage contains, regardless of case and white space. Together with sources, the passage must also come from one of them.',
})
const note = clearableText(2000).describe('Note of your own. null or the empty string clears it.')

const CreateQuestion = someOf(
  z.strictObject({
    question,
    expectedSourceIds: expectedSourceIds.default([]),
    expectedText: expectedText.default(null),
    note: note.default(''),
  }),
  [['expectedSourceIds'], ['expectedText']],
  { field: 'expectedSourceIds', message: 'is required unless expectedText is given' },
).meta({
  id: 'CreateQuestion',
  description: 'A new evaluation question. `expectedSourceIds` or `expectedText` are required.',
  examples: [{ question: 'When do you open on Sunday?', expectedText: 'Sundays from ten' }],
})
export type CreateQuestion = z.output<typeof CreateQuestion>

const CreateQuestions = z
  .strictObject({ questions: z.array(CreateQuestion).min(1).max(500).describe('Questions to add, 1 to 500.') })
  .meta({
    id: 'CreateQuestions',
    description: 'Evaluation questions to add in one request.',
    examples: [{ questions: [{ question: 'When do you open on Sunday?', expectedText: 'Sundays from ten' }] }],
  })
export type CreateQuestions = z.output<typeof CreateQuestions>

const expectsNothing = {
  required: ['expectedSourceIds', 'expectedText'],
  properties: { expectedSourceIds: { maxItems: 0 }, expectedText: { type: 'null' } },
}

const UpdateQuestion = documented(z.strictObject({ question, expectedSourceIds, expectedText, note }).partial(), {
  not: expectsNothing,
}).meta({
  id: 'UpdateQuestion',
  description: 'Changes to an evaluation question. Omitted fields keep their values.',
  examples: [{ note: 'Asked a lot in winter' }],
})
export type UpdateQuestion = z.output<typeof UpdateQuestion>

const ListQuestions = z.strictObject(pageQuery)
export type ListQuestions = z.output<typeof ListQuestions>

const params = z.object({ baseId: idInput('kb') })
const oneParams = params.extend({ questionId: idInput('qst') })

export const questions = {
  create: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/questions',
    summary: 'Add an evaluation question',
    description: `A knowledge base has at most ${maxQuestions} evaluation questions; 409 beyond that.`,
    scope: 'evaluations:write',
    params,
    body: CreateQuestion,
    status: 201,
    reply: Question,
    errors: ['conflict'],
  }),
  createMany: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/questions/bulk',
    summary: 'Add up to 500 evaluation questions',
    answer: 'Created. The body has the new questions.',
    description: 'Adds all questions, or none if one is invalid.',
    scope: 'evaluations:write',
    params,
    body: CreateQuestions,
    status: 201,
    location: '/v1/bases/{baseId}/questions',
    reply: z.object({ data: z.array(Question).meta({ description: 'New questions in the order of the request.' }) }),
    errors: ['conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/questions',
    summary: 'List the evaluation questions of a knowledge base, newest first',
    scope: 'evaluations:read',
    params,
    query: ListQuestions,
    status: 200,
    reply: pageOf(Question),
  }),
  get: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/questions/{questionId}',
    summary: 'Get an evaluation question',
    scope: 'evaluations:read',
    params: oneParams,
    status: 200,
    reply: Question,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/bases/{baseId}/questions/{questionId}',
    summary: 'Update an evaluation question',
    description: 'With another question or expected answer, the next evaluation reports the question as `new`.',
    scope: 'evaluations:write',
    params: oneParams,
    body: UpdateQuestion,
    status: 200,
    reply: Question,
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/bases/{baseId}/questions/{questionId}',
    summary: 'Delete an evaluation question',
    description: 'Former evaluations keep their results for this question.',
    scope: 'evaluations:write',
    params: oneParams,
    status: 204,
  }),
}
