import {
  maxQuestions,
  wireId,
  type CreateQuestion,
  type CreateQuestions,
  type ListQuestions,
  type Question,
  type UpdateQuestion,
} from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../../audit/audit.ts'
import { withTransaction, type Context } from '../../context.ts'
import { changedColumns, isEmpty } from '../../db/changed-columns.ts'
import type { Transaction } from '../../db/schema.ts'
import { pageOf } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { lockBase, requireBase } from '../rows/bases.ts'
import { noSuchQuestion, pageOfQuestions, readQuestion, type SavedQuestion } from './saved-questions.ts'

/**
 * @throws AppError `not_found`, `validation_error` for a source that does not exist, `conflict` if the knowledge base has too
 * many questions
 */
export function createQuestion(ctx: Context, baseId: string, input: CreateQuestion): Promise<Question> {
  return withTransaction(ctx, async (trx) => {
    const [row] = await addQuestions(ctx, trx, baseId, [input], () => 'expectedSourceIds')
    if (row === undefined) throw new Error('a question was added without a row')
    const question = toQuestion(row)
    await audit(ctx, trx, { action: 'question.created', target: question.id })
    return question
  })
}

/** Creates all questions or none. Throws the errors of `createQuestion`. */
export function createQuestions(ctx: Context, baseId: string, { questions }: CreateQuestions): Promise<{ data: Question[] }> {
  return withTransaction(ctx, async (trx) => {
    const rows = await addQuestions(ctx, trx, baseId, questions, (index) => `questions.${index}.expectedSourceIds`)
    await audit(ctx, trx, { action: 'question.imported', target: wireId('kb', baseId) })
    return { data: rows.map(toQuestion) }
  })
}

/** @throws AppError `not_found`, or `bad_request`, field `cursor` */
export function listQuestions(
  ctx: Context,
  baseId: string,
  input: ListQuestions,
): Promise<{ data: Question[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    const page = pageOf(await pageOfQuestions(trx, baseId, input), input.limit)
    return { data: page.rows.map(toQuestion), nextCursor: page.nextCursor }
  })
}

/** @throws AppError `not_found` */
export function getQuestion(ctx: Context, baseId: string, questionId: string): Promise<Question> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    return toQuestion(await readQuestion(trx, baseId, questionId))
  })
}

/** @throws AppError `not_found`, or `validation_error` for a source that does not exist, or if no expectation would be left */
export function updateQuestion(ctx: Context, baseId: string, questionId: string, input: UpdateQuestion): Promise<Question> {
  const { question, expectedSourceIds, expectedText, note } = input
  return withTransaction(ctx, async (trx) => {
    await lockBase(trx, baseId, 'share')
    const before = await readQuestion(trx, baseId, questionId)
    if (expectedSourceIds !== undefined) await requireSources(trx, baseId, [expectedSourceIds], () => 'expectedSourceIds')
    const expected = {
      sources: expectedSourceIds ?? before.expected_source_ids,
      text: expectedText === undefined ? before.expected_text : expectedText,
    }
    const changed = expectedSourceIds !== undefined || expectedText !== undefined
    if (changed && expected.sources.length === 0 && expected.text === null)
      throw new AppError('validation_error', 'expectedSourceIds is required unless expectedText is given', {
        field: 'expectedSourceIds',
      })
    const columns = changedColumns(before, {
      ...(question !== undefined && { question }),
      ...(expectedSourceIds !== undefined && { expected_source_ids: expectedSourceIds }),
      ...(expectedText !== undefined && { expected_text: expectedText }),
      ...(note !== undefined && { note }),
    })
    if (isEmpty(columns)) return toQuestion(before)
    await trx
      .updateTable('evaluation_question')
      .set({ ...columns, updated_at: ctx.now() })
      .where('base_id', '=', baseId)
      .where('id', '=', questionId)
      .execute()
    const after = toQuestion(await readQuestion(trx, baseId, questionId))
    await audit(ctx, trx, { action: 'question.updated', target: after.id })
    return after
  })
}

/** @throws AppError `not_found` */
export function deleteQuestion(ctx: Context, baseId: string, questionId: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    const { numDeletedRows } = await trx
      .deleteFrom('evaluation_question')
      .where('base_id', '=', baseId)
      .where('id', '=', questionId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw noSuchQuestion()
    await audit(ctx, trx, { action: 'question.deleted', target: wireId('qst', questionId) })
  })
}

/** Returns the new rows in order. Locks the knowledge base, so that concurrent requests cannot exceed the limit. */
async function addQuestions(
  ctx: Context,
  trx: Transaction,
  baseId: string,
  questions: readonly CreateQuestion[],
  field: (index: number) => string,
): Promise<SavedQuestion[]> {
  await lockBase(trx, baseId, 'update')
  await requireSources(
    trx,
    baseId,
    questions.map(({ expectedSourceIds }) => expectedSourceIds),
    field,
  )
  const { count } = await trx
    .selectFrom('evaluation_question')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('base_id', '=', baseId)
    .executeTakeFirstOrThrow()
  if (count + questions.length > maxQuestions)
    throw new AppError('conflict', `A knowledge base has at most ${maxQuestions} questions. This one has ${count}.`)
  const now = ctx.now()
  const ids = questions.map(() => newId(now.getTime())).toSorted()
  const rows = questions.map((given, index) => ({
    organization_id: ctx.organizationId,
    id: ids[index] ?? '',
    base_id: baseId,
    question: given.question,
    expected_source_ids: given.expectedSourceIds,
    expected_text: given.expectedText,
    note: given.note,
    created_at: now,
    updated_at: now,
  }))
  await trx.insertInto('evaluation_question').values(rows).execute()
  return rows
}

/** @throws AppError `validation_error` for the first source that is not in the knowledge base; `field` locates the list */
async function requireSources(
  trx: Transaction,
  baseId: string,
  lists: readonly (readonly string[])[],
  field: (index: number) => string,
): Promise<void> {
  const asked = [...new Set(lists.flat())]
  if (asked.length === 0) return
  const rows = await trx
    .selectFrom('source')
    .select('id')
    .where('base_id', '=', baseId)
    .where(sql<boolean>`id = any(${asked}::uuid[])`)
    .execute()
  const present = new Set(rows.map(({ id }) => id))
  for (const [index, ids] of lists.entries()) {
    const missing = ids.find((id) => !present.has(id))
    if (missing === undefined) continue
    throw new AppError('validation_error', `${field(index)}: the base has no source ${wireId('src', missing)}`, { field: field(index) })
  }
}

function toQuestion(row: SavedQuestion): Question {
  return {
    id: wireId('qst', row.id),
    baseId: wireId('kb', row.base_id),
    question: row.question,
    expectedSourceIds: row.expected_source_ids.map((id) => wireId('src', id)),
    expectedText: row.expected_text,
    note: row.note,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
