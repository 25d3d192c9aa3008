import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import { deleteEvaluation, getEvaluation, listEvaluations, startEvaluation } from './evaluations.ts'
import { createQuestion, createQuestions, deleteQuestion, getQuestion, listQuestions, updateQuestion } from './questions.ts'

export const questionHandlers: Handlers<GroundworkApi>['questions'] = {
  create: (ctx, { params, body }) => createQuestion(ctx, params.baseId, body),
  createMany: (ctx, { params, body }) => createQuestions(ctx, params.baseId, body),
  list: (ctx, { params, query }) => listQuestions(ctx, params.baseId, query),
  get: (ctx, { params }) => getQuestion(ctx, params.baseId, params.questionId),
  update: (ctx, { params, body }) => updateQuestion(ctx, params.baseId, params.questionId, body),
  delete: (ctx, { params }) => deleteQuestion(ctx, params.baseId, params.questionId),
}

export const evaluationHandlers: Handlers<GroundworkApi>['evaluations'] = {
  start: (ctx, { params, body }) => startEvaluation(ctx, params.baseId, body),
  list: (ctx, { params, query }) => listEvaluations(ctx, params.baseId, query),
  get: (ctx, { params }) => getEvaluation(ctx, params.baseId, params.evaluationId),
  delete: (ctx, { params }) => deleteEvaluation(ctx, params.baseId, params.evaluationId),
}
