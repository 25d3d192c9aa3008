import { z } from 'zod'
import { documented, someOf } from './field-rules.ts'
import { route } from './route.ts'
import { clearableText, idInput, idOutput, pageOf, pageQuery, text, Timestamp } from './schemas.ts'

/** Questions at most that a base has. */
export const maxQuestions = 2000

/** A question of which it is known what answers it. */
export const Question = z
  .object({
    id: idOutput('qst'),
    baseId: idOutput('kb'),
    question: z.string(),
    expectedSourceIds: z.array(idOutput('src')).meta({ description: 'Sources that answer it; one that is deleted is left out' }),
    expectedText: z.string().nullable(),
    note: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Question' })
export type Question = z.input<typeof Question>

const question = text(1, 4000)
const expectedSourceIds = z
  .array(idInput('src'))
  .max(20)
  .transform((ids) => [...new Set(ids)])
  .meta({ description: 'Sources of the base that answer it' })
const expectedText = text(1, 2000).nullable().meta({
  description: 'Text that the passage has which answers it, whatever its capitals and white space; with sources, a passage of one of them',
})
const note = clearableText(2000)

const CreateQuestion = someOf(
  z.strictObject({
    question,
    expectedSourceIds: expectedSourceIds.default([]),
    expectedText: expectedText.default(null),
    note: note.default(''),
  }),
  [['expectedSourceIds'], ['expectedText']],
  { field: 'expectedSourceIds', message: 'is required unless there is an expectedText' },
).meta({
  id: 'CreateQuestion',
  examples: [{ question: 'When do you open on Sunday?', expectedText: 'Sundays from ten' }],
})
export type CreateQuestion = z.output<typeof CreateQuestion>

const CreateQuestions = z.strictObject({ questions: z.array(CreateQuestion).min(1).max(500) }).meta({
  id: 'CreateQuestions',
  examples: [{ questions: [{ question: 'When do you open on Sunday?', expectedText: 'Sundays from ten' }] }],
})
export type CreateQuestions = z.output<typeof CreateQuestions>

const expectsNothing = {
  required: ['expectedSourceIds', 'expectedText'],
  properties: { expectedSourceIds: { maxItems: 0 }, expectedText: { type: 'null' } },
}

const UpdateQuestion = documented(z.strictObject({ question, expectedSourceIds, expectedText, note }).partial(), {
  not: expectsNothing,
}).meta({ id: 'UpdateQuestion', examples: [{ note: 'Asked a lot in winter' }] })
export type UpdateQuestion = z.output<typeof UpdateQuestion>

const ListQuestions = z.strictObject(pageQuery)
export type ListQuestions = z.output<typeof ListQuestions>

const params = z.object({ baseId: idInput('kb') })
const oneParams = params.extend({ questionId: idInput('qst') })

export const questions = {
  create: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/questions',
    summary: 'Save a question with what answers it',
    description: `For evaluations. A base has ${maxQuestions} at most; 409 beyond.`,
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
    summary: 'Save up to 500 questions at once',
    description: 'All of them, or none where one is at fault.',
    scope: 'evaluations:write',
    params,
    body: CreateQuestions,
    status: 201,
    location: '/v1/bases/{baseId}/questions',
    reply: z.object({ data: z.array(Question).meta({ description: 'In the order in which they were sent' }) }),
    errors: ['conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/questions',
    summary: 'List the saved questions of a knowledge base, newest first',
    scope: 'evaluations:read',
    params,
    query: ListQuestions,
    status: 200,
    reply: pageOf(Question),
  }),
  get: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/questions/{questionId}',
    summary: 'Get a saved question',
    scope: 'evaluations:read',
    params: oneParams,
    status: 200,
    reply: Question,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/bases/{baseId}/questions/{questionId}',
    summary: 'Change a saved question',
    description: 'The next evaluation tells of it as new.',
    scope: 'evaluations:write',
    params: oneParams,
    body: UpdateQuestion,
    status: 200,
    reply: Question,
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/bases/{baseId}/questions/{questionId}',
    summary: 'Delete a saved question',
    description: 'Evaluations that asked it keep what came of it.',
    scope: 'evaluations:write',
    params: oneParams,
    status: 204,
  }),
}
