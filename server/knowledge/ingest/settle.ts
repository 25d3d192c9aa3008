import { hasPages, type AuditAction, type Source } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { withTransaction } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import type { SourceError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { sumOfPages } from '../crawl/page-rows.ts'
import { deleteGeneration } from '../index/remove.ts'
import { countChunks } from '../index/write.ts'
import { completedState, enterStage, Superseded, updateFenced, type Attempt } from '../rows/attempt.ts'
import { deleteAllButOrigin, deleteDocuments, selectFirstDocument, shownOf, type Document } from '../rows/documents.ts'
import { dropParts } from '../rows/site-parts.ts'
import { toSource } from '../rows/source-record.ts'
import { notifySettled } from '../rows/source-subscriber.ts'
import { dropAttempt } from './begin.ts'
import type { Run, SourceTypeDefinition } from './source-type.ts'

/**
 * Makes the written generation live in one transaction, and deletes the previous one.
 * @param expected number of chunks
 * @throws Superseded, or Error if the written index is not complete
 */
export async function switchOver(run: Run, expected: number, onSwitch: SourceTypeDefinition['onSwitch']): Promise<void> {
  const { attempt, indexConfig } = run
  const { ctx, generation } = attempt
  await enterStage(attempt, 'indexing', { progress_done: expected, progress_total: expected, progress_unit: 'chunks' })
  await withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const before = await updateFenced(trx, attempt, {})
    const [written, document] = await Promise.all([
      countChunks(trx, generation),
      selectFirstDocument(trx, generation).executeTakeFirstOrThrow(),
    ])
    if (written !== expected) throw new Error(`the index of source ${before.id} has ${written} of ${expected} chunks`)
    const completed = await updateFenced(trx, attempt, {
      ...shownOf({
        ...document,
        video: document.video === null ? null : JSON.stringify(document.video),
      }),
      ...(hasPages(before.type) && { page_bytes: await sumOfPages(trx, attempt) }),
      url: document.url,
      upload_id: document.upload_id,
      index_config: indexConfig,
      status: 'completed',
      stage: 'done',
      live_generation: generation,
      chunks_count: expected,
      embedding_model: ctx.embedder.model,
      embedding_dimensions: ctx.embedder.dimensions,
      error: null,
      error_code: null,
      last_synced_at: now,
    })
    if (before.live_generation === null && hasPages(before.type)) await dropParts(ctx, trx, before)
    if (before.live_generation !== null) {
      await deleteGeneration(ctx, trx, { baseId: before.base_id, generation: before.live_generation })
      await deleteDocuments(ctx, trx, before.id, before.live_generation)
    }
    await onSwitch?.(run, trx)
    await notifySettled(ctx, trx, completed)
    await emit(ctx, trx, 'source.completed', toSource(completed, ctx.embedder))
  })
}

/**
 * Ends an attempt that found the live content: only the time of the sync and new metadata are stored.
 * @param fetched the document that equals the live one; null if the server answered that it is unchanged
 * @throws Superseded
 */
export async function keepServing(attempt: Attempt, fetched: Document | null): Promise<void> {
  await withTransaction(attempt.ctx, async (trx) => {
    const row = await updateFenced(trx, attempt, {})
    if (fetched !== null) {
      const { etag, last_modified, ordinal } = fetched
      const update = trx
        .updateTable('document')
        .set({ etag, last_modified })
        .where('generation', '=', row.live_generation)
        .where('ordinal', '=', ordinal)
      await defer(trx, update.compile())
    }
    const ended = await updateFenced(trx, attempt, { ...completedState(row), last_synced_at: attempt.ctx.now() })
    await dropAttempt(attempt.ctx, trx, row)
    await notifySettled(attempt.ctx, trx, ended)
    if (!row.silent) await emit(attempt.ctx, trx, 'source.completed', toSource(ended, attempt.ctx.embedder))
  })
}

/** Fails the attempt if it is still current. */
export async function failSource(attempt: Attempt, reason: SourceError): Promise<void> {
  try {
    await withTransaction(attempt.ctx, async (trx) => endFailed(attempt.ctx, trx, await updateFenced(trx, attempt, {}), reason))
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
  }
}

/**
 * Fails the source's attempt and deletes its rows, except for the origin. A source without earlier content becomes `failed`; one with earlier content
 * stays `completed` and searchable, and its record shows the error. The caller has locked the row.
 */
export async function endFailed(
  ctx: KnowledgeContext,
  trx: Transaction,
  row: Selectable<SourceTable>,
  reason: SourceError,
  action?: AuditAction,
): Promise<Source> {
  const serves = row.live_generation !== null
  const ended = await trx
    .updateTable('source')
    .set({
      ...(serves ? completedState(row) : { status: 'failed', chunks_count: 0, embedding_model: null, embedding_dimensions: null }),
      ...(!serves && hasPages(row.type) && { pages: null }),
      error: reason.message,
      error_code: reason.code,
      updated_at: ctx.now(),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await deleteGeneration(ctx, trx, { baseId: row.base_id, generation: row.generation })
  if (serves) await deleteAllButOrigin(ctx, trx, row.generation)
  else if (hasPages(row.type)) {
    await dropParts(ctx, trx, row)
    await defer(trx, trx.updateTable('source_page').set({ chunks: 0 }).where('source_id', '=', row.id).compile())
  }
  await notifySettled(ctx, trx, ended)
  const source = toSource(ended, ctx.embedder)
  await emit(ctx, trx, 'source.failed', source, action)
  return source
}
