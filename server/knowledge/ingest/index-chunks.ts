import { atomically } from '../../context.ts'
import { emit } from '../../events/emit.ts'
import { SourceError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Chunk } from '../chunk/chunk.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import { countGeneration, deleteGeneration, writeChunks } from '../search/write.ts'
import { toSource } from '../sources/record.ts'
import { deleteDocuments, shownOf } from './documents.ts'
import { embedChunks } from './embed-chunks.ts'
import { advance, enterStage, updateFenced, type Attempt } from './fence.ts'

/** Chunks a transaction: small enough that no other statement waits long behind it, large enough to be quick. */
const batchSize = 32

/**
 * Embeds and writes the chunks under the attempt's generation, unseen by any search, then switches the source over to
 * them in one transaction. An attempt that was killed goes on behind the batches that it had written.
 * @throws SourceError `empty_content` without a chunk, `embedding_failed`; Superseded
 */
export async function indexChunks(
  attempt: Attempt,
  document: ExtractedDocument,
  chunks: readonly Chunk[],
  { baseId, indexedAs }: { baseId: string; indexedAs: string },
): Promise<void> {
  if (chunks.length === 0) throw new SourceError('empty_content', 'There is no text in this document.')
  const of = { organizationId: attempt.organizationId, baseId, sourceId: attempt.sourceId, generation: attempt.generation }
  const before = await atomically(attempt.ctx, (trx) => countGeneration(trx, of))
  let written = before.chunks
  await enterStage(attempt, 'embedding', { progress_done: written, progress_total: chunks.length, progress_unit: 'chunks' })

  const embed = (from: number) => embedChunks(attempt, baseId, document.title, chunks.slice(from, from + batchSize))
  let next = embed(written)
  while (written < chunks.length) {
    const batch = await next
    const done = written + batch.embedded.length
    // The next batch is embedded while this one is written.
    if (done < chunks.length) next = embed(done)
    next.catch(() => undefined)
    const rows = batch.embedded.map((each) => ({ id: newId(), ...each }))
    await atomically(attempt.ctx, async (trx) => {
      await advance(trx, attempt, written, { done, reused: batch.reused })
      await writeChunks(trx, of, rows, { title: document.title, language: document.language })
    })
    written = done
  }
  await switchOver(attempt, chunks.length, indexedAs)
}

async function switchOver(attempt: Attempt, expected: number, indexedAs: string): Promise<void> {
  const { embedder } = attempt.ctx
  await enterStage(attempt, 'indexing', { progress_done: expected, progress_total: expected, progress_unit: 'chunks' })
  await atomically(attempt.ctx, async (trx) => {
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
      indexed_as: indexedAs,
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
    await emit(attempt.ctx, trx, 'source.completed', toSource(completed))
  })
}
