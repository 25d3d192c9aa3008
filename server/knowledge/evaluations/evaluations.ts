import { wireId, type Evaluation, type EvaluationWithResults, type ListEvaluations, type StartEvaluation } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { audit } from '../../audit/audit.ts'
import { withTransaction, type Context } from '../../context.ts'
import { newestFirst } from '../../db/newest-first.ts'
import type { EvaluationTable, Transaction } from '../../db/schema.ts'
import { pageOf } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { enqueueWork } from '../../work.ts'
import { lockBase, requireBase } from '../rows/bases.ts'
import { prepare } from './evaluate.ts'
import { addResults, readResults } from './results.ts'
import { evaluateBaseWork } from './work.ts'

/**
 * Creates an evaluation; a worker runs it.
 * @throws AppError `not_found`, or `conflict` if there are no questions
 */
export function startEvaluation(ctx: Context, baseId: string, { note = '', ...given }: StartEvaluation): Promise<Evaluation> {
  return withTransaction(ctx, async (trx) => {
    await lockBase(trx, baseId, 'share')
    const { settings, expectations, skipped } = await prepare(trx, baseId, given)
    if (expectations.length === 0) throw new AppError('conflict', 'The knowledge base has no saved question with an expected answer.')
    const now = ctx.now()
    const id = newId(now.getTime())
    const row = await trx
      .insertInto('evaluation')
      .values({
        organization_id: ctx.organizationId,
        id,
        base_id: baseId,
        status: 'queued',
        note,
        settings: JSON.stringify(settings),
        total: expectations.length,
        skipped,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await addResults(trx, row, expectations)
    await enqueueWork(ctx, trx, evaluateBaseWork, { evaluationId: id })
    const evaluation = toEvaluation(row)
    await audit(ctx, trx, { action: 'evaluation.created', target: evaluation.id })
    return evaluation
  })
}

/** @throws AppError `not_found`, or `bad_request`, field `cursor` */
export function listEvaluations(
  ctx: Context,
  baseId: string,
  input: ListEvaluations,
): Promise<{ data: Evaluation[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    const query = trx.selectFrom('evaluation').selectAll().where('base_id', '=', baseId)
    const page = pageOf(await newestFirst(query, 'evaluation', input).execute(), input.limit)
    return { data: page.rows.map(toEvaluation), nextCursor: page.nextCursor }
  })
}

/** @throws AppError `not_found` */
export function getEvaluation(ctx: Context, baseId: string, evaluationId: string): Promise<EvaluationWithResults> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    const evaluation = toEvaluation(await requireEvaluation(trx, baseId, evaluationId))
    const results = await readResults(trx, evaluationId)
    return {
      ...evaluation,
      results: results
        .filter(({ done }) => done)
        .map((row) => ({
          questionId: wireId('qst', row.question_id),
          question: row.question,
          expectedSourceIds: row.expected_source_ids.map((id) => wireId('src', id)),
          expectedText: row.expected_text,
          rank: row.rank,
          recall: row.recall ?? 0,
          bestScore: row.best_score,
          previousRank: row.previous_rank,
          change: row.change,
        })),
    }
  })
}

/** @throws AppError `not_found` */
export function deleteEvaluation(ctx: Context, baseId: string, evaluationId: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    await requireEvaluation(trx, baseId, evaluationId)
    await trx.deleteFrom('evaluation').where('base_id', '=', baseId).where('id', '=', evaluationId).execute()
    await audit(ctx, trx, { action: 'evaluation.deleted', target: wireId('eva', evaluationId) })
  })
}

async function requireEvaluation(trx: Transaction, baseId: string, evaluationId: string): Promise<Selectable<EvaluationTable>> {
  const query = trx.selectFrom('evaluation').selectAll().where('base_id', '=', baseId).where('id', '=', evaluationId)
  const row = await query.executeTakeFirst()
  if (row === undefined) throw new AppError('not_found', 'There is no such evaluation.', { field: 'evaluationId' })
  return row
}

function toEvaluation(row: Selectable<EvaluationTable>): Evaluation {
  return {
    id: wireId('eva', row.id),
    baseId: wireId('kb', row.base_id),
    status: row.status,
    note: row.note,
    settings: row.settings as Evaluation['settings'],
    progress: { done: row.done, total: row.total },
    skipped: row.skipped,
    degraded: row.degraded,
    found: row.found,
    recall: row.recall,
    mrr: row.mrr,
    previousId: row.previous_id && wireId('eva', row.previous_id),
    changes: row.changes as Evaluation['changes'],
    error: row.error,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
  }
}
