import { withTransaction } from '../../context.ts'
import { emit } from '../../events/emit.ts'
import { SourceError } from '../../lib/errors.ts'
import type { Transaction } from '../../db/schema.ts'
import { notifySettled } from '../rows/source-subscriber.ts'
import { countGeneration, deleteGeneration, type IndexTarget, type Passage } from '../index/write.ts'
import { toSource } from '../rows/source-record.ts'
import { deleteDocuments, shownOf } from '../rows/documents.ts'
import { advance, enterStage, updateFenced, type Attempt } from '../rows/attempt.ts'
import { writePassages } from './write-passages.ts'

export interface IndexPlan {
  readonly baseId: string
  readonly indexConfig: string
  /** Number of passages. */
  readonly total: number
  /** Runs in the transaction that makes the generation live, before the event is emitted. */
  readonly onSwitch?: (trx: Transaction) => Promise<void>
}

/**
 * Embeds and writes the passages under the attempt's generation, which no search reads yet, then makes it live in one
 * transaction. A killed attempt resumes after its last batch.
 * @param passages the same in every run of the attempt, in order, with ordinals from 0
 * @throws SourceError `empty_content` without passages, `embedding_failed`; Superseded
 */
export async function indexChunks(
  attempt: Attempt,
  passages: AsyncIterable<Passage> | Iterable<Passage>,
  { baseId, indexConfig, total, onSwitch }: IndexPlan,
): Promise<void> {
  if (total === 0) throw new SourceError('empty_content', 'There is no text in this document.')
  const of = { organizationId: attempt.organizationId, baseId, sourceId: attempt.sourceId, generation: attempt.generation }
  const written = await withTransaction(attempt.ctx, (trx) => begunAs(trx, attempt, of, indexConfig))
  await enterStage(attempt, 'embedding', { progress_done: written, progress_total: total, progress_unit: 'chunks' })
  await writePassages(attempt, of, passages, written, (trx, from, batch) => advance(trx, attempt, from, batch))
  await switchOver(attempt, total, indexConfig, onSwitch)
}

/** Returns the number of passages that the attempt has written; deletes those of another index configuration. */
async function begunAs(trx: Transaction, attempt: Attempt, of: IndexTarget, indexConfig: string): Promise<number> {
  const row = await updateFenced(trx, attempt, {})
  if (row.pending_index_config !== indexConfig) {
    await updateFenced(trx, attempt, { pending_index_config: indexConfig })
    await deleteGeneration(trx, of)
  }
  return (await countGeneration(trx, of)).chunks
}

async function switchOver(attempt: Attempt, expected: number, indexConfig: string, onSwitch: IndexPlan['onSwitch']): Promise<void> {
  const { embedder } = attempt.ctx
  await enterStage(attempt, 'indexing', { progress_done: expected, progress_total: expected, progress_unit: 'chunks' })
  await withTransaction(attempt.ctx, async (trx) => {
    const now = attempt.ctx.now()
    const before = await updateFenced(trx, attempt, {})
    const counts = await countGeneration(trx, { baseId: before.base_id, generation: attempt.generation })
    if (counts.chunks !== expected || counts.vectors !== expected || counts.lexical !== expected) {
      throw new Error(`the index of source ${before.id} is not whole: ${JSON.stringify({ expected, ...counts })}`)
    }
    const document = await trx
      .selectFrom('document')
      .selectAll()
      .where('generation', '=', attempt.generation)
      .where('ordinal', '=', 0)
      .executeTakeFirstOrThrow()
    const completed = await updateFenced(trx, attempt, {
      ...shownOf({ ...document, video: document.video === null ? null : JSON.stringify(document.video) }),
      url: document.url,
      upload_id: document.upload_id,
      index_config: indexConfig,
      status: 'completed',
      stage: 'done',
      live_generation: attempt.generation,
      chunks_count: expected,
      embedding_model: embedder.model,
      embedding_dimensions: embedder.dimensions,
      error: null,
      error_code: null,
      last_synced_at: now,
    })
    if (before.live_generation !== null) {
      await deleteGeneration(trx, { baseId: before.base_id, generation: before.live_generation })
      await deleteDocuments(attempt.ctx, trx, before.id, before.live_generation)
    }
    await onSwitch?.(trx)
    await notifySettled(attempt.ctx, trx, completed)
    await emit(attempt.ctx, trx, 'source.completed', toSource(completed))
  })
}
