import { atomically } from '../../context.ts'
import { emit } from '../../events/emit.ts'
import { SourceError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../../db/schema.ts'
import { countGeneration, deleteGeneration, writeChunks } from '../search/write.ts'
import { toSource } from '../sources/record.ts'
import { deleteDocuments, shownOf } from './documents.ts'
import { embedChunks, type EmbeddedPassage, type Passage } from './embed-chunks.ts'
import { advance, enterStage, updateFenced, type Attempt } from './fence.ts'

/** Chunks a transaction: small enough that no other statement waits long behind it, large enough to be quick. */
const batchSize = 96

export interface IndexPlan {
  readonly baseId: string
  readonly indexedAs: string
  /** How many passages there are. */
  readonly total: number
  /** What else becomes true when the generation begins to serve; called last in that transaction but for the event. */
  readonly onSwitch?: (trx: Transaction) => Promise<void>
}

/**
 * Embeds and writes the passages under the attempt's generation, unseen by any search, then switches the source over to
 * them in one transaction. An attempt that was killed goes on behind the batches that it had written.
 * @param passages the same ones in the same order in every run of the attempt, with ordinals from 0 on
 * @throws SourceError `empty_content` without a passage, `embedding_failed`; Superseded
 */
export async function indexChunks(
  attempt: Attempt,
  passages: AsyncIterable<Passage> | Iterable<Passage>,
  { baseId, indexedAs, total, onSwitch }: IndexPlan,
): Promise<void> {
  if (total === 0) throw new SourceError('empty_content', 'There is no text in this document.')
  const of = { organizationId: attempt.organizationId, baseId, sourceId: attempt.sourceId, generation: attempt.generation }
  const before = await atomically(attempt.ctx, (trx) => countGeneration(trx, of))
  let written = before.chunks
  await enterStage(attempt, 'embedding', { progress_done: written, progress_total: total, progress_unit: 'chunks' })

  const batches = batchesOf(passages, written)
  const embed = async () => {
    const { value } = await batches.next()
    return value === undefined ? null : embedChunks(attempt, baseId, value)
  }
  let next = embed()
  for (let batch = await next; batch !== null; batch = await next) {
    const done = written + batch.embedded.length
    // The next batch is embedded while this one is written.
    next = embed()
    next.catch(() => undefined)
    const { embedded, reused } = batch
    await atomically(attempt.ctx, async (trx) => {
      await advance(trx, attempt, written, { done, reused })
      for (const run of runsOfOneDocument(embedded)) {
        await writeChunks(
          trx,
          of,
          run.map(({ passage, ...each }) => ({ id: newId(), chunk: passage.chunk, ...each })),
          run[0].passage.document,
        )
      }
    })
    written = done
  }
  await switchOver(attempt, total, indexedAs, onSwitch)
}

/** What is behind the first `skip` passages, `batchSize` at a time. */
async function* batchesOf(passages: AsyncIterable<Passage> | Iterable<Passage>, skip: number): AsyncGenerator<Passage[], undefined> {
  let batch: Passage[] = []
  let at = 0
  for await (const passage of passages) {
    if (at++ < skip) continue
    batch.push(passage)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Stretches of passages of one document. */
function runsOfOneDocument(passages: readonly EmbeddedPassage[]): [EmbeddedPassage, ...EmbeddedPassage[]][] {
  const runs: [EmbeddedPassage, ...EmbeddedPassage[]][] = []
  for (const each of passages) {
    const run = runs.at(-1)
    if (run?.[0].passage.document === each.passage.document) run.push(each)
    else runs.push([each])
  }
  return runs
}

async function switchOver(attempt: Attempt, expected: number, indexedAs: string, onSwitch: IndexPlan['onSwitch']): Promise<void> {
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
    await onSwitch?.(trx)
    await emit(attempt.ctx, trx, 'source.completed', toSource(completed))
  })
}
