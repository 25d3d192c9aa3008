import { z } from 'zod'
import { route } from './route.ts'
import { clearableText, idInput, idOutput, numberFrom, pageOf, pageQuery, Timestamp, wholeNumber } from './schemas.ts'

export const changesOfRank = ['better', 'worse', 'same', 'new'] as const

const topK = wholeNumber(1, 100)
const similarityThreshold = numberFrom(0, 1)

/** One run over the saved questions of a base. */
const Evaluation = z
  .object({
    id: idOutput('eva'),
    baseId: idOutput('kb'),
    status: z.enum(['queued', 'running', 'completed', 'failed']),
    note: z.string(),
    settings: z
      .object({ topK, similarityThreshold, hybridSearch: z.boolean(), rerank: z.boolean() })
      .meta({ description: 'What was searched with' }),
    progress: z.object({ done: z.number().int(), total: z.number().int().meta({ description: 'Questions of this run' }) }),
    skipped: z.number().int().meta({ description: 'Questions that were left out, since every source that answers them is deleted' }),
    degraded: z
      .number()
      .int()
      .meta({ description: 'Searches that were not complete, for instance because a question could not be embedded' }),
    found: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Questions with a right passage among the first topK; null until it is completed' }),
    recall: z.number().nullable().meta({
      description: 'Recall at topK, 0 to 1: the mean share of the sources expected for a question of which a right passage came back',
    }),
    mrr: z
      .number()
      .nullable()
      .meta({ description: 'Mean reciprocal rank of the first right passage, 0 to 1; a question without one counts 0' }),
    previousId: idOutput('eva').nullable().meta({ description: 'The run that it is compared with: the one completed before it' }),
    changes: z
      .object({ better: z.number().int(), worse: z.number().int(), same: z.number().int(), new: z.number().int() })
      .nullable()
      .meta({ description: 'Questions by how they fare beside the run before; null without one' }),
    error: z.string().nullable().meta({ description: 'What keeps it, or kept it, from being completed' }),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Evaluation' })
export type Evaluation = z.input<typeof Evaluation>

const rank = z.number().int().nullable()

const EvaluationResult = z
  .object({
    questionId: idOutput('qst').meta({ description: 'It may be changed or gone by now' }),
    question: z.string(),
    expectedSourceIds: z.array(idOutput('src')),
    expectedText: z.string().nullable(),
    rank: rank.meta({ description: 'Place of the first right passage, from 1; null where none came back' }),
    recall: z.number(),
    bestScore: z.number().nullable().meta({ description: 'Of the first passage, right or not' }),
    previousRank: rank.meta({ description: 'The same in the run before' }),
    change: z.enum(changesOfRank).nullable().meta({ description: 'new where the run before did not ask this; null without a run before' }),
  })
  .meta({ id: 'EvaluationResult' })
export type EvaluationResult = z.input<typeof EvaluationResult>

const EvaluationWithResults = Evaluation.extend({
  results: z.array(EvaluationResult).meta({ description: 'Of the questions that were asked already' }),
}).meta({ id: 'EvaluationWithResults' })
export type EvaluationWithResults = z.input<typeof EvaluationWithResults>

const StartEvaluation = z
  .strictObject({ topK, similarityThreshold, hybridSearch: z.boolean(), rerank: z.boolean(), note: clearableText(500) })
  .partial()
  .meta({ id: 'StartEvaluation', examples: [{ topK: 5, note: 'Before the new price list' }] })
export type StartEvaluation = z.output<typeof StartEvaluation>

const ListEvaluations = z.strictObject(pageQuery)
export type ListEvaluations = z.output<typeof ListEvaluations>

const params = z.object({ baseId: idInput('kb') })
const oneParams = params.extend({ evaluationId: idInput('eva') })

export const evaluations = {
  start: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/evaluations',
    summary: 'Ask all saved questions of a knowledge base, and measure the answers',
    description:
      'Goes on after the answer: poll it until its status is completed or failed. What the request leaves open is as the base is set. 409 where there is no question to ask.',
    scope: 'evaluations:write',
    params,
    body: StartEvaluation,
    status: 201,
    reply: Evaluation,
    errors: ['conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/evaluations',
    summary: 'List the evaluations of a knowledge base, newest first',
    scope: 'evaluations:read',
    params,
    query: ListEvaluations,
    status: 200,
    reply: pageOf(Evaluation),
  }),
  get: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/evaluations/{evaluationId}',
    summary: 'Get an evaluation, question by question',
    scope: 'evaluations:read',
    params: oneParams,
    status: 200,
    reply: EvaluationWithResults,
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/bases/{baseId}/evaluations/{evaluationId}',
    summary: 'Delete an evaluation',
    description: 'One that is running ends.',
    scope: 'evaluations:write',
    params: oneParams,
    status: 204,
  }),
}
