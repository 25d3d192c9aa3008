import type { ReindexEvaluation } from '@groundwork/api'
import { withTransaction, type Context } from '../../context.ts'
import type { OrganizationWork } from '../../work.ts'
import type { KnowledgeContext } from '../context.ts'
import { evaluate } from '../evaluations/evaluate.ts'
import { compare, type Measures } from '../evaluations/measure.ts'
import { searchBase } from '../search/search-base.ts'
import { countQuestions, evaluationOf } from './evaluation.ts'
import { compareReindexQueue, type CompareReindex } from './queue.ts'
import { becomeReady } from './ready.ts'

/** Runs the evaluation questions in both indexes; then the re-index is ready. */
export const compareReindexWork: OrganizationWork<CompareReindex, KnowledgeContext> = {
  name: compareReindexQueue.name,
  queue: compareReindexQueue,
  async run(ctx, data, signal) {
    if (!(await isWanted(ctx, data))) return
    const options = signal === undefined ? {} : { signal }
    try {
      const before = await evaluate(ctx, data.baseId, options)
      const after = await evaluate(ctx, data.baseId, {
        ...options,
        search: (of, baseId, input) => searchBase(of, baseId, { ...input, reindexId: data.reindexId }),
      })
      const { better, worse } = compare(before.judged, after.judged).changes
      await keep(ctx, data, {
        questions: after.judged.length,
        before: measuresOf(before),
        after: measuresOf(after),
        better,
        worse,
        degraded: before.degraded + after.degraded,
        error: null,
      })
    } catch (error) {
      // The re-index may have been cancelled, or its knowledge base deleted, between two questions.
      if (await isWanted(ctx, data)) throw error
    }
  },
  abandoned: (ctx, data) =>
    keep(ctx, data, {
      questions: 0,
      before: null,
      after: null,
      better: 0,
      worse: 0,
      degraded: 0,
      error: 'The questions could not be asked; the log of the program says why.',
    }),
}

const measuresOf = ({ recall, mrr, found }: Measures) => ({ recall, mrr, found })

async function isWanted(ctx: Context, { reindexId, stamp }: CompareReindex): Promise<boolean> {
  const row = await withTransaction(ctx, (trx) =>
    trx.selectFrom('reindex').select('evaluation').where('id', '=', reindexId).where('status', '=', 'building').executeTakeFirst(),
  )
  const stored = row === undefined ? null : evaluationOf(row)
  return stored !== null && 'pending' in stored && stored.pending === stamp
}

async function keep(ctx: Context, data: CompareReindex, result: ReindexEvaluation): Promise<void> {
  await withTransaction(ctx, async (trx) => {
    const row = await trx
      .selectFrom('reindex')
      .selectAll()
      .where('id', '=', data.reindexId)
      .where('status', '=', 'building')
      .forUpdate()
      .executeTakeFirst()
    const stored = row === undefined ? null : evaluationOf(row)
    if (row === undefined || stored === null || !('pending' in stored) || stored.pending !== data.stamp) return
    await becomeReady(ctx, trx, row, { evaluation: JSON.stringify({ saved: await countQuestions(trx, data.baseId), result }) })
  })
}
