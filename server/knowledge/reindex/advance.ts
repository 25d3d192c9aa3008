import { hasPages, sourceTypes } from '@groundwork/api'
import { sql, type Selectable, type Updateable } from 'kysely'
import type { Context } from '../../context.ts'
import type { ReindexSourceTable, ReindexTable, SourceTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { enqueueDrop } from './drop.ts'
import { beginEvaluation, countQuestions, evaluationOf } from './evaluation.ts'
import { enqueueBuild } from './queue.ts'
import { becomeReady } from './ready.ts'
import type { ReindexRow } from './rows.ts'
import { measure, targetOf } from './targets.ts'

/**
 * Builds the next source, unless one is being built; without further sources, the re-index is ready. Each source is a job of
 * its own, one at a time, so that knowledge bases take turns and ordinary processing, which has more slots, goes first.
 * @param reindex open, locked by the caller
 */
export async function advanceReindex(ctx: KnowledgeContext, trx: Transaction, reindex: ReindexRow): Promise<void> {
  const mine = () => trx.selectFrom('reindex_source').where('reindex_id', '=', reindex.id)
  for (;;) {
    const [building, source] = await Promise.all([
      mine().select('source_id').where('status', '=', 'building').executeTakeFirst(),
      nextSource(trx, reindex.id),
    ])
    if (building !== undefined) return
    if (source === undefined) break
    if (await beginSource(ctx, trx, reindex, source)) return
  }
  const waiting = await mine().select('source_id').where('status', '=', 'waiting').executeTakeFirst()
  if (waiting === undefined) await settle(ctx, trx, reindex.id)
}

type NextSource = Selectable<SourceTable> & { live_generation: number }

/** Skips a site while it is crawled, since the texts of its pages are changing. */
async function nextSource(trx: Transaction, reindexId: string): Promise<NextSource | undefined> {
  const row = await trx
    .selectFrom('reindex_source')
    .innerJoin('source', 'source.id', 'reindex_source.source_id')
    .selectAll('source')
    .where('reindex_id', '=', reindexId)
    .where('reindex_source.status', '=', 'waiting')
    .where('source.live_generation', 'is not', null)
    .where((where) => where.or([where('source.type', 'not in', sourceTypes.filter(hasPages)), where('source.status', '<>', 'processing')]))
    .orderBy('source.id')
    .limit(1)
    .executeTakeFirst()
  return row?.live_generation == null ? undefined : { ...row, live_generation: row.live_generation }
}

/**
 * @returns whether a job was queued; not if the source already has the index configuration, or its own settings conflict with
 * the new ones
 */
async function beginSource(ctx: KnowledgeContext, trx: Transaction, reindex: ReindexRow, source: NextSource): Promise<boolean> {
  const set = (changes: Partial<Omit<Selectable<ReindexSourceTable>, 'generation'>> & { generation?: typeof nextGeneration }) =>
    trx
      .updateTable('reindex_source')
      .set({ ...notStarted, of_generation: source.live_generation, ...changes })
      .where('reindex_id', '=', reindex.id)
      .where('source_id', '=', source.id)
      .returning('generation')
      .executeTakeFirstOrThrow()
  let indexConfig: string
  try {
    indexConfig = targetOf(ctx.embedder, reindex, source).indexConfig
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await set({ status: 'failed', error_code: 'internal', error: error.message })
    return false
  }
  if (source.index_config === indexConfig) {
    const { chunks, tokens } = await measure(trx, source.live_generation)
    await set({ status: 'done', chunks, tokens, chunks_before: chunks, tokens_before: tokens })
    return false
  }
  const { generation } = await set({ status: 'building', index_config: indexConfig, generation: nextGeneration })
  const data = { organizationId: ctx.organizationId, reindexId: reindex.id, sourceId: source.id, generation: generation ?? 0 }
  await enqueueBuild(ctx.jobs, trx, data, { baseId: reindex.base_id, chunks: source.chunks_count })
  return true
}

const nextGeneration = sql<number>`nextval('source_generation')`

/** The state of a source before its build. */
export const notStarted = {
  generation: null,
  index_config: null,
  embedding_model: null,
  embedding_dimensions: null,
  made_of: null,
  chunks: 0,
  tokens: 0,
  error: null,
  error_code: null,
} as const

/** Ends the building of sources: the re-index becomes ready after the evaluation questions have run. */
async function settle(ctx: Context, trx: Transaction, reindexId: string): Promise<void> {
  const reindex = await trx.selectFrom('reindex').selectAll().where('id', '=', reindexId).executeTakeFirstOrThrow()
  if (reindex.status !== 'building') return
  const { failed, all } = await trx
    .selectFrom('reindex_source')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.countAll<number>().filterWhere('status', '=', 'failed').as('failed')])
    .where('reindex_id', '=', reindex.id)
    .executeTakeFirstOrThrow()
  const set = (changes: Updateable<ReindexTable>) =>
    trx
      .updateTable('reindex')
      .set({ ...changes, updated_at: ctx.now() })
      .where('id', '=', reindex.id)
      .execute()
  if (failed > 0 && failed === all) {
    await set({ status: 'failed', error: 'No source could be indexed anew.' })
    await enqueueDrop(ctx, trx, reindex.id)
    return
  }
  const evaluation = evaluationOf(reindex)
  if (evaluation !== null && 'pending' in evaluation) return
  if (evaluation === null && (await countQuestions(trx, reindex.base_id)) > 0) await beginEvaluation(ctx, trx, reindex)
  else await becomeReady(ctx, trx, reindex)
}
