import { withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { SourceError } from '../../lib/errors.ts'
import { countChunks } from '../index/write.ts'
import { advanceReindex, notStarted } from './advance.ts'
import { buildingRow, noteBuild, type Build } from './build-fence.ts'
import { dropShadowIndex, enqueueDrop } from './drop.ts'
import { isOpen, settingsOf, type ReindexRow, type ReindexSourceRow } from './rows.ts'
import { swapIndexes } from './swap.ts'
import { measure } from './targets.ts'

/** The outcome of a build; superseded if its content is no longer live or is being crawled. */
export type Outcome = 'built' | 'superseded' | SourceError

/**
 * Ends the build of one source and queues the next one, if the re-index is open. After the switch, a source is switched
 * individually: its content became live during the switch.
 */
export async function endBuild(build: Build, outcome: Outcome): Promise<void> {
  const { ctx, reindexId, sourceId } = build
  await withTransaction(ctx, async (trx) => {
    const source = await trx
      .selectFrom('source')
      .select(['live_generation', 'base_id'])
      .where('id', '=', sourceId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (source !== undefined) await trx.selectFrom('base').select('id').where('id', '=', source.base_id).forKeyShare().execute()
    const reindex = await trx.selectFrom('reindex').selectAll().where('id', '=', reindexId).forUpdate().executeTakeFirst()
    if (reindex === undefined || !isOpen(reindex)) return
    if (!embedsWith(ctx.embedder.model, reindex)) return giveUp(build, trx, reindex)
    const row = await buildingRow(trx, build).executeTakeFirst()
    if (row !== undefined) {
      const replaced = source?.live_generation !== row.of_generation
      await settleRow(build, trx, row, replaced ? 'superseded' : outcome)
      if (reindex.status === 'switched') await swapIndexes(ctx, trx, reindexId, { from: 'done', to: 'switched', sourceId })
    }
    await advanceReindex(ctx, trx, reindex)
  })
}

async function settleRow(build: Build, trx: Transaction, row: ReindexSourceRow, outcome: Outcome): Promise<void> {
  if (outcome === 'built') return noteBuilt(build, trx, row)
  await dropShadowIndex(build.ctx, trx, row)
  const failure = outcome === 'superseded' ? { status: 'waiting' as const } : failedWith(outcome)
  await noteBuild(trx, build, { ...notStarted, ...failure })
}

const failedWith = ({ code, message }: SourceError) => ({ status: 'failed' as const, error_code: code, error: message })

async function noteBuilt(build: Build, trx: Transaction, row: ReindexSourceRow): Promise<void> {
  const written = await countChunks(trx, build.generation)
  if (written === 0) return settleRow(build, trx, row, new SourceError('empty_content', 'The document contains no text.'))
  if (written !== row.chunks) throw new Error(`the new index of source ${row.source_id} has ${written} of ${row.chunks} chunks`)
  const { tokens } = await measure(trx, build.generation)
  const before = await measure(trx, row.of_generation ?? 0)
  await noteBuild(trx, build, {
    status: 'done',
    chunks_count: row.chunks,
    embedding_model: build.ctx.embedder.model,
    embedding_dimensions: build.ctx.embedder.dimensions,
    tokens,
    chunks_before: before.chunks,
    tokens_before: before.tokens,
  })
}

/** Returns whether the program still has the embedding model of the re-index. */
export const embedsWith = (model: string, { settings_after }: Pick<ReindexRow, 'settings_after'>): boolean =>
  settingsOf(settings_after).embeddingModels.includes(model)

/** Fails the re-index: vectors of two models cannot be in one index. */
async function giveUp({ ctx }: Build, trx: Transaction, reindex: ReindexRow): Promise<void> {
  if (reindex.status === 'switched') return
  const error = 'The embedding model of the program was changed meanwhile; begin another re-index.'
  await trx.updateTable('reindex').set({ status: 'failed', error, updated_at: ctx.now() }).where('id', '=', reindex.id).execute()
  await enqueueDrop(ctx, trx, reindex.id)
}
