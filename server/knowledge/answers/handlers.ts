import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import { answerFrom, type AnswerServices } from './answer.ts'

export const answerHandlers: Handlers<GroundworkApi, AnswerServices>['answers'] = {
  base: (ctx, { params, body, stream }) => answerFrom(ctx, params.baseId, body, stream.signal),
}
