import { wireId, type Reindex, type ReindexEvaluation, type ReindexSettings, type SwitchReindex } from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../../audit/audit.ts'
import { withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { emitProgress } from '../../events/emit.ts'
import { AppError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { readBase } from '../rows/bases.ts'
import { storedSettings } from '../rows/settings.ts'
import { enqueueDrop } from './drop.ts'
import { embedsWith } from './end-build.ts'
import { beginEvaluation, countQuestions, evaluationOf, isWorse } from './evaluation.ts'
import { toReindex } from './record.ts'
import { lockBaseForReindex, lockReindex, settingsOf, chunkingIn } from './rows.ts'
import { swapIndexes } from './swap.ts'

/** Days for which the former index is kept after a switch. */
const keptDays = 7

/**
 * Makes the new index live: all sources of the knowledge base and its settings change in one transaction.
 * @throws AppError `not_found`, or `conflict` unless the re-index is ready, has the program's embedding model and, without
 * force, answers the evaluation questions no worse than the live index; questions that were added since are evaluated first
 */
export async function switchReindex(ctx: KnowledgeContext, baseId: string, reindexId: string, { force }: SwitchReindex): Promise<Reindex> {
  const switched = await switchOrCompare(ctx, baseId, reindexId, force)
  if (switched !== null) return switched
  throw new AppError(
    'conflict',
    'Questions were saved since the re-index was built, and it is being compared by them. Switch when it is ready again.',
  )
}

/** Returns null if the evaluation must run first. */
function switchOrCompare(ctx: KnowledgeContext, baseId: string, reindexId: string, force: boolean): Promise<Reindex | null> {
  return withTransaction(ctx, async (trx) => {
    await lockBaseForReindex(trx, baseId)
    const row = await lockReindex(trx, baseId, reindexId)
    if (row.status !== 'ready')
      throw new AppError('conflict', `Only a re-index that is ready can be switched to. This one is ${row.status}.`)
    if (!embedsWith(ctx.embedder.model, row))
      throw new AppError('conflict', 'The embedding model of the program was changed since. Cancel this re-index and start another one.')
    if (!force) {
      const evaluation = evaluationOf(row)
      const questions = await countQuestions(trx, baseId)
      if (questions > 0 && !(evaluation !== null && 'result' in evaluation && evaluation.saved === questions)) {
        await beginEvaluation(ctx, trx, row)
        return null
      }
      if (evaluation !== null && 'result' in evaluation && isWorse(evaluation.result)) throw worse(evaluation.result)
    }
    await swapIndexes(ctx, trx, reindexId, { from: 'done', to: 'switched' })
    const now = ctx.now()
    const switched = await trx
      .updateTable('reindex')
      .set({
        status: 'switched',
        switched_at: now,
        updated_at: now,
        kept_until: new Date(now.getTime() + keptDays * 86_400_000),
        switched_generation: sql<number>`nextval('source_generation')`,
      })
      .where('id', '=', reindexId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueueDrop(ctx, trx, reindexId, { delaySeconds: keptDays * 86_400 + 60 })
    const reindex = await toReindex(trx, switched)
    await audit(ctx, trx, { action: 'reindex.switched', target: reindex.id })
    await setChunking(ctx, trx, baseId, settingsOf(row.settings_after))
    return reindex
  })
}

function worse({ before, after, questions, error }: ReindexEvaluation): AppError {
  const hint = 'To switch nevertheless, set force.'
  if (before === null || after === null)
    return new AppError('conflict', `The two indexes could not be compared. ${error === null ? '' : `${error} `}${hint}`)
  const figures = (of: 'recall' | 'mrr'): string => `${before[of].toFixed(3)} before, ${after[of].toFixed(3)} after`
  return new AppError(
    'conflict',
    `The ${questions} questions of the base are answered worse: recall ${figures('recall')}; mean reciprocal rank ${figures('mrr')}. ${hint}`,
  )
}

/**
 * Makes the former index live again, with its chunking settings. Content that was replaced since stays.
 * @throws AppError `not_found`, or `conflict` unless the re-index is the live one and the former index is still kept
 */
export function rollBackReindex(ctx: KnowledgeContext, baseId: string, reindexId: string): Promise<Reindex> {
  return withTransaction(ctx, async (trx) => {
    await lockBaseForReindex(trx, baseId)
    const row = await lockReindex(trx, baseId, reindexId)
    const now = ctx.now()
    if (row.status !== 'switched')
      throw new AppError('conflict', `Only a re-index that was switched to can be rolled back. This one is ${row.status}.`)
    if (row.kept_until === null || row.kept_until <= now)
      throw new AppError('conflict', `The re-index ${wireId('rix', reindexId)} cannot be rolled back: the former index is no longer kept.`)
    await swapIndexes(ctx, trx, reindexId, { from: 'switched', to: 'done' })
    const rolledBack = await trx
      .updateTable('reindex')
      .set({ status: 'rolled_back', kept_until: null, updated_at: now })
      .where('id', '=', reindexId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueueDrop(ctx, trx, reindexId)
    const reindex = await toReindex(trx, rolledBack)
    await audit(ctx, trx, { action: 'reindex.rolled_back', target: reindex.id })
    await setChunking(ctx, trx, baseId, settingsOf(row.settings_before))
    return reindex
  })
}

/** Call it last in the transaction, like `emit`. */
async function setChunking(ctx: KnowledgeContext, trx: Transaction, baseId: string, chunking: ReindexSettings): Promise<void> {
  const { rag_settings } = await trx.selectFrom('base').select('rag_settings').where('id', '=', baseId).executeTakeFirstOrThrow()
  const settings = { ...storedSettings(rag_settings), ...chunkingIn(chunking) }
  await trx
    .updateTable('base')
    .set({ rag_settings: JSON.stringify(settings), updated_at: ctx.now() })
    .where('id', '=', baseId)
    .execute()
  await emitProgress(ctx, trx, 'base.updated', await readBase(ctx, trx, baseId))
}
