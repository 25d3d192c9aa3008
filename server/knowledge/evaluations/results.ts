import { sql, type Selectable } from 'kysely'
import type { EvaluationResultTable, EvaluationTable, Transaction } from '../../db/schema.ts'
import type { Expectation, Judged } from './judge.ts'
import type { Comparison } from './measure.ts'

export type Result = Selectable<EvaluationResultTable>

/** Adds the questions of a run, in order. */
export async function addResults(
  trx: Transaction,
  { organization_id, id, base_id }: Pick<Selectable<EvaluationTable>, 'organization_id' | 'id' | 'base_id'>,
  expectations: readonly Expectation[],
): Promise<void> {
  await sql`
    insert into evaluation_result (organization_id, evaluation_id, ordinal, base_id, question_id, question, expected_source_ids, expected_text)
    select ${organization_id}::uuid, ${id}::uuid, r.ordinal, ${base_id}::uuid, r.question_id, r.question, r.expected_source_ids, r.expected_text
    from json_to_recordset(${JSON.stringify(
      expectations.map(({ questionId, question, expectedSourceIds, expectedText }, ordinal) => ({
        ordinal,
        question_id: questionId,
        question,
        expected_source_ids: expectedSourceIds,
        expected_text: expectedText,
      })),
    )}::json) as r (ordinal integer, question_id uuid, question text, expected_source_ids uuid[], expected_text text)`.execute(trx)
}

/** Returns results in the order of their questions. */
export function readResults(trx: Transaction, evaluationId: string): Promise<Result[]> {
  return trx.selectFrom('evaluation_result').selectAll().where('evaluation_id', '=', evaluationId).orderBy('ordinal').execute()
}

/** Stores results; a result that another worker has stored meanwhile stays. */
export async function writeJudged(
  trx: Transaction,
  evaluationId: string,
  judged: readonly (Judged & { ordinal: number })[],
): Promise<void> {
  await sql`
    update evaluation_result r set done = true, rank = j.rank, recall = j.recall, best_score = j.score, degraded = j.degraded
    from unnest(${judged.map(({ ordinal }) => ordinal)}::integer[], ${judged.map(({ rank }) => rank)}::integer[],
      ${judged.map(({ recall }) => recall)}::float8[], ${judged.map(({ bestScore }) => bestScore)}::float8[],
      ${judged.map(({ degraded }) => degraded)}::boolean[]) as j (ordinal, rank, recall, score, degraded)
    where r.evaluation_id = ${evaluationId}::uuid and r.ordinal = j.ordinal and not r.done`.execute(trx)
}

/** Stores the comparison with the previous run, in the order of `readResults`. */
export async function writeComparison(
  trx: Transaction,
  evaluationId: string,
  results: readonly Result[],
  { questions }: Comparison,
): Promise<void> {
  await sql`
    update evaluation_result r set previous_rank = c.rank, change = c.change
    from unnest(${results.map(({ ordinal }) => ordinal)}::integer[], ${questions.map(({ previousRank }) => previousRank)}::integer[],
      ${questions.map(({ change }) => change)}::text[]) as c (ordinal, rank, change)
    where r.evaluation_id = ${evaluationId}::uuid and r.ordinal = c.ordinal`.execute(trx)
}

export const expectationOf = (row: Result): Expectation => ({
  questionId: row.question_id,
  question: row.question,
  expectedSourceIds: row.expected_source_ids,
  expectedText: row.expected_text,
})
