import { z } from 'zod'
import { route } from './route.ts'
import { clearableText, createdAt, idInput, idOutput, numberFrom, pageOf, pageQuery, Timestamp, wholeNumber } from './schemas.ts'

export const changesOfRank = ['better', 'worse', 'same', 'new'] as const

const settings = {
  topK: wholeNumber(1, 100).describe('Maximum number of passages per search.'),
  similarityThreshold: numberFrom(0, 1).describe('Minimum score of returned passages, from 0 to 1.'),
  hybridSearch: z.boolean().describe('true combines vector and keyword search (BM25); false uses vector search alone.'),
  rerank: z.boolean().describe('Whether the reranker of the operator scores the best passages.'),
}

/** A run over the evaluation questions of a knowledge base. */
const Evaluation = z
  .object({
    id: idOutput('eva'),
    baseId: idOutput('kb'),
    status: z
      .enum(['queued', 'running', 'completed', 'failed'])
      .describe(
        '`queued`: waiting for a worker; `running`: questions are being searched; `completed`: the measures are final; `failed`: see `error`.',
      ),
    note: z.string().describe('Note given at the start; empty without one.'),
    settings: z.object(settings).describe('Search settings of this run.'),
    progress: z
      .object({
        done: z.number().int().describe('Number of questions searched so far.'),
        total: z.number().int().describe('Number of questions in this run.'),
      })
      .describe('Progress of the run.'),
    skipped: z.number().int().describe('Number of questions left out because all their expected sources were deleted.'),
    degraded: z.number().int().describe('Number of incomplete searches, for instance because a question could not be embedded.'),
    found: z
      .number()
      .int()
      .nullable()
      .describe('Number of questions with a correct passage among the first `topK`; null until the run is completed.'),
    recall: z
      .number()
      .nullable()
      .describe(
        'Recall at `topK`, 0 to 1: mean share of the expected sources with a passage, correct or not; for a question without expected sources, 1 with a correct passage, else 0. Null until the run is completed.',
      ),
    mrr: z
      .number()
      .nullable()
      .describe(
        'Mean reciprocal rank of the first correct passage, 0 to 1; a question without one counts 0. Null until the run is completed.',
      ),
    previousId: idOutput('eva')
      .nullable()
      .describe('Id of the run that this one is compared with: the last one completed before it. Null without one.'),
    changes: z
      .object({
        better: z.number().int().describe('Number of questions with a better rank than in the previous run.'),
        worse: z.number().int().describe('Number of questions with a worse rank than in the previous run, or no longer found.'),
        same: z.number().int().describe('Number of questions with the same rank.'),
        new: z.number().int().describe('Number of questions that the previous run did not have in this form.'),
      })
      .nullable()
      .describe('Comparison with the previous run; null without one.'),
    error: z.string().nullable().describe('Reason why the run failed or is being retried; null otherwise.'),
    createdAt,
    startedAt: Timestamp.nullable().describe('Time at which a worker began; null while queued.'),
    completedAt: Timestamp.nullable().describe('Time of completion; null before.'),
  })
  .meta({ id: 'Evaluation', description: 'A run over the evaluation questions of a knowledge base, with its measures.' })
export type Evaluation = z.input<typeof Evaluation>

const rank = z.number().int().nullable()

const EvaluationResult = z
  .object({
    questionId: idOutput('qst').describe('Id of the question, which may have been changed or deleted since.'),
    question: z.string().describe('Question as it was at the start of the run.'),
    expectedSourceIds: z.array(idOutput('src')).describe('Sources with the answer, as they were at the start of the run.'),
    expectedText: z.string().nullable().describe('Text of the expected answer, as it was at the start of the run; null without one.'),
    rank: rank.describe('Rank of the first correct passage, from 1; null if none was found.'),
    recall: z
      .number()
      .describe('Share of the expected sources with a passage, 0 to 1; without expected sources, 1 with a correct passage, else 0.'),
    bestScore: z.number().nullable().describe('Score of the first passage, correct or not; null if none was found.'),
    previousRank: rank.describe('Rank in the previous run; null if none was found, or without a previous run.'),
    change: z
      .enum(changesOfRank)
      .nullable()
      .describe('Change of the rank since the previous run; `new` if the question is new or changed. Null without a previous run.'),
  })
  .meta({ id: 'EvaluationResult', description: 'Result of one question in an evaluation.' })
export type EvaluationResult = z.input<typeof EvaluationResult>

const EvaluationWithResults = Evaluation.extend({
  results: z.array(EvaluationResult).describe('Results of the questions searched so far.'),
}).meta({
  id: 'EvaluationWithResults',
  description: 'A run over the evaluation questions of a knowledge base, with the result of each question.',
})
export type EvaluationWithResults = z.input<typeof EvaluationWithResults>

const StartEvaluation = z
  .strictObject({ ...settings, note: clearableText(500).describe('Note for comparing runs, such as the reason for this one.') })
  .partial()
  .meta({
    id: 'StartEvaluation',
    description: 'Search settings of the run. Omitted ones are those of the knowledge base.',
    examples: [{ topK: 5, note: 'Before the new price list' }],
  })
export type StartEvaluation = z.output<typeof StartEvaluation>

const ListEvaluations = z.strictObject(pageQuery)
export type ListEvaluations = z.output<typeof ListEvaluations>

const params = z.object({ baseId: idInput('kb') })
const oneParams = params.extend({ evaluationId: idInput('eva') })

export const evaluations = {
  start: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/evaluations',
    summary: 'Start an evaluation',
    description:
      'Searches for every evaluation question of the knowledge base in the background and measures recall and rank. Poll the evaluation until its status is `completed` or `failed`. 409 without a question to search for.',
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
    summary: 'Get an evaluation with the result of each question',
    scope: 'evaluations:read',
    params: oneParams,
    status: 200,
    reply: EvaluationWithResults,
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/bases/{baseId}/evaluations/{evaluationId}',
    summary: 'Delete an evaluation',
    description: 'A running evaluation is stopped.',
    scope: 'evaluations:write',
    params: oneParams,
    status: 204,
  }),
}
