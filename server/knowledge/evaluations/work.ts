import type { Selectable } from 'kysely'
import { withTransaction, type Context } from '../../context.ts'
import type { EvaluationTable, Transaction } from '../../db/schema.ts'
import type { Queue } from '../../jobs/jobs.ts'
import { AppError } from '../../lib/errors.ts'
import type { OrganizationWork } from '../../work.ts'
import type { KnowledgeContext } from '../context.ts'
import { searchBase } from '../search/search-base.ts'
import { judge, type Judged, type SearchSettings } from './judge.ts'
import { compare, measure } from './measure.ts'
import { expectationOf, readResults, writeComparison, writeJudged, type Result } from './results.ts'

interface Data {
  evaluationId: string
}

/** Questions between two writes: the most that a killed worker loses. */
const batch = 20

const evaluateBaseQueue: Queue = { name: 'evaluate-base', retryLimit: 8, retryDelaySeconds: 2, leaseSeconds: 30, timeLimitSeconds: 3600 }

/** Runs the remaining questions of an evaluation. Resumes after a kill; ends if the evaluation is deleted. */
export const evaluateBaseWork: OrganizationWork<Data, KnowledgeContext> = {
  name: evaluateBaseQueue.name,
  queue: evaluateBaseQueue,
  async run(ctx, { evaluationId }, signal) {
    for (;;) {
      const next = await withTransaction(ctx, (trx) => takeNext(ctx, trx, evaluationId))
      if (next === null) return
      const judged = await askAll(ctx, next, signal)
      await withTransaction(ctx, (trx) => keep(ctx, trx, evaluationId, judged))
    }
  },
  abandoned: (ctx, { evaluationId }) =>
    withTransaction(ctx, async (trx) => {
      const row = await lockRunning(trx, evaluationId)
      const error = row?.error ?? 'the questions could not be asked; the log of the program says why'
      if (row !== undefined) await set(trx, evaluationId, { status: 'failed', error })
    }),
}

interface Next {
  readonly evaluation: Selectable<EvaluationTable>
  readonly results: readonly Result[]
}

async function takeNext(ctx: Context, trx: Transaction, evaluationId: string): Promise<Next | null> {
  const evaluation = await lockRunning(trx, evaluationId)
  if (evaluation === undefined) return null
  const results = (await readResults(trx, evaluationId)).filter(({ done }) => !done).slice(0, batch)
  if (results.length > 0 && evaluation.status === 'queued') await set(trx, evaluationId, { status: 'running', started_at: ctx.now() })
  return { evaluation, results }
}

async function askAll(
  ctx: KnowledgeContext,
  { evaluation, results }: Next,
  signal?: AbortSignal,
): Promise<(Judged & { ordinal: number })[]> {
  const settings = evaluation.settings as SearchSettings
  const judged: (Judged & { ordinal: number })[] = []
  try {
    for (const result of results) {
      signal?.throwIfAborted()
      const { ordinal } = result
      judged.push({ ...(await judge(ctx, evaluation.base_id, expectationOf(result), { search: searchBase, settings })), ordinal })
    }
  } catch (error) {
    if (error instanceof AppError) await withTransaction(ctx, (trx) => set(trx, evaluation.id, { error: error.message }))
    throw error
  }
  return judged
}

/** Completes the run when no question is left. */
async function keep(
  ctx: Context,
  trx: Transaction,
  evaluationId: string,
  judged: readonly (Judged & { ordinal: number })[],
): Promise<void> {
  const evaluation = await lockRunning(trx, evaluationId)
  if (evaluation === undefined) return
  await writeJudged(trx, evaluationId, judged)
  const results = await readResults(trx, evaluationId)
  const asked = results.filter(({ done }) => done)
  const { degraded, ...measures } = measure(asked.map((row) => ({ ...row, recall: row.recall ?? 0 })))
  await set(trx, evaluationId, { done: asked.length, degraded, error: null })
  if (asked.length < results.length) return
  const previous = await previousOf(trx, evaluation)
  if (previous !== undefined) {
    const earlier = await readResults(trx, previous.id)
    const comparison = compare(earlier.map(ranked), results.map(ranked))
    await writeComparison(trx, evaluationId, results, comparison)
    await set(trx, evaluationId, { previous_id: previous.id, changes: JSON.stringify(comparison.changes) })
  }
  await set(trx, evaluationId, { ...measures, status: 'completed', completed_at: ctx.now() })
}

const ranked = (row: Result) => ({ ...expectationOf(row), rank: row.rank })

/** Returns the last completed run of the knowledge base. */
function previousOf(trx: Transaction, { base_id, id }: Selectable<EvaluationTable>): Promise<{ id: string } | undefined> {
  return trx
    .selectFrom('evaluation')
    .select('id')
    .where('base_id', '=', base_id)
    .where('id', '<>', id)
    .where('status', '=', 'completed')
    .orderBy('completed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Locks the row of a run; undefined if it has ended or is deleted. */
function lockRunning(trx: Transaction, evaluationId: string): Promise<Selectable<EvaluationTable> | undefined> {
  return trx
    .selectFrom('evaluation')
    .selectAll()
    .where('id', '=', evaluationId)
    .where('status', 'in', ['queued', 'running'])
    .forUpdate()
    .executeTakeFirst()
}

async function set(
  trx: Transaction,
  evaluationId: string,
  values: Partial<
    Pick<
      Selectable<EvaluationTable>,
      'status' | 'done' | 'degraded' | 'found' | 'recall' | 'mrr' | 'error' | 'started_at' | 'completed_at' | 'previous_id'
    >
  > & {
    changes?: string
  },
): Promise<void> {
  await trx.updateTable('evaluation').set(values).where('id', '=', evaluationId).execute()
}
