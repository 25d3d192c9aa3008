import { sql, type Selectable } from 'kysely'
import type { EvaluationQuestionTable, Transaction } from '../../db/schema.ts'
import { newestFirst } from '../../db/newest-first.ts'
import { AppError } from '../../lib/errors.ts'

export type SavedQuestion = Selectable<EvaluationQuestionTable>

/** The questions of a knowledge base, with the expected sources that still exist. */
const questionsOf = (trx: Transaction, baseId: string) =>
  trx
    .selectFrom('evaluation_question as question')
    .selectAll('question')
    .select(
      sql<string[]>`array(
        select source.id from unnest(question.expected_source_ids) with ordinality as expected (id, place)
        join source on source.organization_id = question.organization_id and source.base_id = question.base_id and source.id = expected.id
        order by place
      )`.as('expected_source_ids'),
    )
    .where('question.base_id', '=', baseId)

/** @throws AppError `not_found` */
export async function readQuestion(trx: Transaction, baseId: string, questionId: string): Promise<SavedQuestion> {
  const row = await questionsOf(trx, baseId).where('question.id', '=', questionId).executeTakeFirst()
  if (row === undefined) throw noSuchQuestion()
  return row
}

export const noSuchQuestion = (): AppError => new AppError('not_found', 'There is no such question.', { field: 'questionId' })

/** Returns one page, newest first, and one additional row. */
export function pageOfQuestions(
  trx: Transaction,
  baseId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<SavedQuestion[]> {
  return newestFirst(questionsOf(trx, baseId), 'question', page).execute()
}

/** Returns all questions, oldest first. */
export function allQuestions(trx: Transaction, baseId: string): Promise<SavedQuestion[]> {
  return questionsOf(trx, baseId).orderBy('question.created_at').orderBy('question.id').execute()
}
