import type { AddSource, AuditAction, ListSources, Source } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { atomically, type Context } from '../../context.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import { decodeCursor, pageOf } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { lockBase, requireBase } from '../bases/bases.ts'
import { mergeSettings, storedSettings } from '../bases/settings.ts'
import { enqueueFileDeletion } from '../ingest/delete-files.ts'
import { processSourceQueue, type ProcessSource } from '../ingest/queue.ts'
import { deleteSourceIndex } from '../search/write.ts'
import { requireUpload } from '../uploads/uploads.ts'
import { watchUrl } from '../video/address.ts'
import { requestedVideo } from '../video/source-video.ts'
import { toSource } from './record.ts'

/**
 * Takes a source in and queues its processing in the same transaction.
 * @throws AppError `not_found` for the base, `validation_error` for a storageUrl that is not ready or not ours, or a
 * url that names no video
 */
export function addSource(ctx: Context, baseId: string, input: AddSource): Promise<Source> {
  const video = requestedVideo(ctx, input)
  return atomically(ctx, async (trx) => {
    const base = await lockBase(trx, baseId, 'share')
    mergeSettings(storedSettings(base.rag_settings), input.ragSettingsOverride, 'ragSettingsOverride')
    const upload = input.storageUrl === undefined ? undefined : await requireUpload(trx, input.storageUrl)
    const now = ctx.now()
    const row = await trx
      .insertInto('source')
      .values({
        organization_id: ctx.organizationId,
        id: newId(now.getTime()),
        base_id: baseId,
        name: input.name,
        type: input.type,
        url: video === null ? (input.url ?? null) : watchUrl(video.id),
        video: video && JSON.stringify(video),
        upload_id: upload?.id ?? null,
        original_key: upload?.storage_key ?? null,
        bytes: upload?.size_bytes ?? null,
        rag_settings_override: input.ragSettingsOverride === undefined ? null : JSON.stringify(input.ragSettingsOverride),
        metadata: JSON.stringify(input.metadata ?? {}),
        status: 'processing',
        stage: 'queued',
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return processing(ctx, trx, row, 'source.created')
  })
}

/** @throws AppError `not_found` */
export function getSource(ctx: Context, baseId: string, sourceId: string): Promise<Source> {
  return atomically(ctx, async (trx) => toSource(await requireSource(trx, baseId, sourceId)))
}

/**
 * Newest first.
 * @throws AppError `not_found` for the base
 */
export function listSources(ctx: Context, baseId: string, input: ListSources): Promise<{ data: Source[]; nextCursor: string | null }> {
  return atomically(ctx, async (trx) => {
    await requireBase(trx, baseId)
    let query = trx
      .selectFrom('source')
      .selectAll()
      .where('base_id', '=', baseId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(input.limit + 1)
    if (input.status !== undefined) query = query.where('status', '=', input.status)
    if (input.type !== undefined) query = query.where('type', '=', input.type)
    if (input.cursor !== undefined) {
      const after = decodeCursor(input.cursor)
      query = query.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`)
    }
    const page = pageOf(await query.execute(), input.limit)
    return { data: page.rows.map(toSource), nextCursor: page.nextCursor }
  })
}

/**
 * Processes a failed source again, under a new generation.
 * @throws AppError `not_found`, or `conflict` when the source has not failed
 */
export function retrySource(ctx: Context, baseId: string, sourceId: string): Promise<Source> {
  return atomically(ctx, async (trx) => {
    const { status } = await requireSource(trx, baseId, sourceId, 'update')
    if (status !== 'failed') throw new AppError('conflict', `only a failed source can be retried; this one is ${status}`)
    const row = await trx
      .updateTable('source')
      .set({
        status: 'processing',
        stage: 'queued',
        error: null,
        error_code: null,
        progress_done: 0,
        progress_total: 0,
        progress_unit: '',
        progress_reused: 0,
        generation: sql<number>`nextval('source_generation')`,
        updated_at: ctx.now(),
      })
      .where('id', '=', sourceId)
      .returningAll()
      .executeTakeFirstOrThrow()
    return processing(ctx, trx, row, 'source.retried')
  })
}

/**
 * Removes the source and everything made of it in one transaction. Work in flight holds a generation that is gone, so
 * it writes nothing; the file follows by a job.
 * @throws AppError `not_found`
 */
export function deleteSource(ctx: Context, baseId: string, sourceId: string): Promise<void> {
  return atomically(ctx, async (trx) => {
    const row = await requireSource(trx, baseId, sourceId, 'update')
    await trx.deleteFrom('source').where('id', '=', sourceId).execute()
    await deleteSourceIndex(trx, { baseId, sourceId })
    await enqueueFileDeletion(ctx, trx, [row.original_key, row.content_key])
    await emit(ctx, trx, 'source.deleted', toSource(row))
  })
}

async function requireSource(trx: Transaction, baseId: string, sourceId: string, lock?: 'update'): Promise<Selectable<SourceTable>> {
  const query = trx.selectFrom('source').selectAll().where('id', '=', sourceId).where('base_id', '=', baseId)
  const row = await (lock === 'update' ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined) throw new AppError('not_found', 'there is no such source', { field: 'sourceId' })
  return row
}

async function processing(ctx: Context, trx: Transaction, row: Selectable<SourceTable>, action: AuditAction): Promise<Source> {
  const data: ProcessSource = { organizationId: ctx.organizationId, sourceId: row.id, generation: row.generation }
  await ctx.jobs.enqueue(trx, processSourceQueue, data)
  const source = toSource(row)
  await emit(ctx, trx, 'source.processing', source, action)
  return source
}
