import type { NewSource, Source } from '@groundwork/api'
import { sql } from 'kysely'
import { withTransaction, select } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import type { Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { KnowledgeContext } from '../context.ts'
import { lockBase } from '../rows/bases.ts'
import { mergeSettings, storedSettings } from '../rows/settings.ts'
import { deletePageFiles } from '../crawl/page-rows.ts'
import { beginAgain, beginFirst, requestedOrigin, type Origin } from '../ingest/begin.ts'
import { sourceTypes } from '../ingest/source-types.ts'
import { deleteDocuments } from '../rows/documents.ts'
import { notifyDeletion } from '../rows/source-subscriber.ts'
import { settleUpload } from '../uploads/settle.ts'
import { lockUpload } from '../uploads/uploads.ts'
import { deleteSourceIndex } from '../index/remove.ts'
import { toSource } from '../rows/source-record.ts'
import { lastAttemptFailed } from './failed.ts'
import { noSuchSource, requireSource, selectSource } from '../rows/require-source.ts'
import { scheduleSync } from './schedule.ts'

/**
 * Adds a source and queues its processing in the same transaction.
 * @throws AppError `not_found` for the knowledge base, `validation_error` for a storageUrl that is not ready or belongs to
 * another organization, or a URL without a video, `conflict` if the knowledge base has a source with this externalId
 */
export async function addSource(ctx: KnowledgeContext, baseId: string, input: NewSource): Promise<Source> {
  await settleUpload(ctx, input.storageUrl)
  return withTransaction(ctx, async (trx) => {
    const source = await insertSource(ctx, trx, baseId, input, await originOfNewSource(ctx, trx, baseId, input))
    if (source === undefined)
      throw new AppError('conflict', 'The knowledge base already has a source with this externalId.', { field: 'externalId' })
    return source
  })
}

/** Locks the knowledge base, checks the settings of a new source, and takes its upload. Throws as `addSource` does. */
export async function originOfNewSource(ctx: KnowledgeContext, trx: Transaction, baseId: string, input: NewSource): Promise<Origin> {
  const [base, upload] = await Promise.all([
    lockBase(trx, baseId, 'share'),
    input.storageUrl === undefined ? undefined : lockUpload(trx, input.storageUrl),
  ])
  mergeSettings(storedSettings(base.rag_settings), input.ragSettingsOverride, 'ragSettingsOverride')
  return requestedOrigin(ctx, trx, input.type, input, upload)
}

/** Returns the new source; undefined if the knowledge base has a source with the same externalId. */
export async function insertSource(
  ctx: KnowledgeContext,
  trx: Transaction,
  baseId: string,
  input: NewSource,
  origin: Origin,
): Promise<Source | undefined> {
  const now = ctx.now()
  const row = await trx
    .insertInto('source')
    .values({
      organization_id: ctx.organizationId,
      id: newId(now.getTime()),
      base_id: baseId,
      name: input.name,
      type: input.type,
      url: origin.url,
      video: origin.video && JSON.stringify(origin.video),
      upload_id: origin.upload?.id ?? null,
      bytes: origin.upload?.size_bytes ?? null,
      external_id: input.externalId ?? null,
      rag_settings_override: input.ragSettingsOverride === undefined ? null : JSON.stringify(input.ragSettingsOverride),
      ...sourceTypes[input.type].settings?.(input),
      metadata: JSON.stringify(input.metadata ?? {}),
      status: 'processing',
      stage: 'queued',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'base_id', 'external_id']).where('external_id', 'is not', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const scheduled = input.syncSchedule === undefined ? row : await scheduleSync(ctx, trx, row, input.syncSchedule)
  return toSource(await beginFirst(ctx, trx, scheduled, origin), ctx.embedder)
}

/** @throws AppError `not_found` */
export async function getSource(ctx: KnowledgeContext, baseId: string, sourceId: string): Promise<Source> {
  const [row] = await select(ctx, (db) => selectSource(db, baseId, sourceId))
  if (row === undefined) throw noSuchSource()
  return toSource(row, ctx.embedder)
}

/**
 * Processes a source again whose last attempt failed.
 * @throws AppError `not_found`, `conflict` if it did not fail
 */
export function retrySource(ctx: KnowledgeContext, baseId: string, sourceId: string): Promise<Source> {
  return withTransaction(ctx, async (trx) => {
    const row = await requireSource(trx, baseId, sourceId, 'update')
    if (!lastAttemptFailed(row))
      throw new AppError('conflict', `Only a source whose last attempt failed can be retried. The status of this source is ${row.status}.`)
    const begun = await beginAgain(ctx, trx, row, { action: 'source.retried' })
    await sourceTypes[row.type].onRetry?.(ctx, trx, row, begun.generation)
    return toSource(begun, ctx.embedder)
  })
}

/**
 * Fetches a source again. The previous content is searched until the new one is complete.
 * @throws AppError `not_found`, `conflict` if it was uploaded or is being processed
 */
export function syncSource(ctx: KnowledgeContext, baseId: string, sourceId: string): Promise<Source> {
  return withTransaction(ctx, async (trx) => {
    const row = await requireSource(trx, baseId, sourceId, 'update')
    if (row.upload_id !== null) throw new AppError('conflict', 'An uploaded file has no URL that it could be fetched from again.')
    if (row.status === 'processing') throw new AppError('conflict', 'The source is already being processed.')
    return toSource(await beginAgain(ctx, trx, row, { action: 'source.synced' }), ctx.embedder)
  })
}

/**
 * Deletes the source and its index in one transaction; jobs delete its files, and the rows of a large index. A worker that is processing it writes
 * nothing more, since its generation no longer exists.
 * @throws AppError `not_found`
 */
export function deleteSource(ctx: KnowledgeContext, baseId: string, sourceId: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    const row = await requireSource(trx, baseId, sourceId, 'update')
    // Before the subscribers, which share the lock of the knowledge base: two deletions that both shared it would wait for each other.
    const update = trx
      .updateTable('base')
      .set({ sources_removed_at: sql<Date>`greatest(sources_removed_at, ${ctx.now()}, ${row.updated_at})` })
      .where('id', '=', baseId)
    await defer(trx, update.compile())
    await notifyDeletion(ctx, trx, row, async () => {
      await deleteDocuments(ctx, trx, sourceId)
      await deletePageFiles(ctx, trx, { sourceId })
      await deleteSourceIndex(ctx, trx, { baseId, sourceId })
      await defer(trx, trx.deleteFrom('source').where('id', '=', sourceId).compile())
    })
    await emit(ctx, trx, 'source.deleted', toSource(row, ctx.embedder))
  })
}
