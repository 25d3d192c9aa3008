import type { AuditAction, SourceType } from '@groundwork/api'
import { sql, type CompiledQuery, type Insertable, type Selectable } from 'kysely'
import type { Context } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import type { DocumentTable, SourceTable, Transaction, UploadTable } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { KnowledgeContext } from '../context.ts'
import { deleteGeneration } from '../index/remove.ts'
import type { ProcessSource } from '../rows/attempt.ts'
import { deleteDocuments } from '../rows/documents.ts'
import { toSource } from '../rows/source-record.ts'
import { takeUpload } from '../uploads/uploads.ts'
import type { Address, SourceInput } from './source-type.ts'
import { sourceTypes } from './source-types.ts'

/** The origin of a source's documents: a URL, an upload with its bytes, or an upload in place of a URL. */
export interface Origin extends Address {
  readonly upload: Selectable<UploadTable> | null
}

/**
 * Returns the origin in a request; its upload is locked until the transaction ends.
 * @param locked the upload, if the caller has locked it
 * @throws AppError `validation_error` for a storageUrl that is not ready or belongs to another organization, a URL without a
 * video, or one that outbound requests never reach
 */
export async function requestedOrigin(
  ctx: KnowledgeContext,
  trx: Transaction,
  type: SourceType,
  input: SourceInput,
  locked?: Selectable<UploadTable>,
): Promise<Origin> {
  const address = sourceTypes[type].address(ctx, input)
  return { ...address, upload: input.storageUrl === undefined ? null : await takeUpload(trx, input.storageUrl, locked) }
}

/** Begins the first attempt to process a new source, and queues it in the same transaction. */
export async function beginFirst(
  ctx: KnowledgeContext,
  trx: Transaction,
  row: Selectable<SourceTable>,
  origin: Origin,
): Promise<Selectable<SourceTable>> {
  await defer(trx, newDocument(trx, row, firstDocument(origin)))
  return enqueue(ctx, trx, row, 'source.created')
}

/**
 * Begins another attempt under a new generation; a running one ends and leaves nothing behind. The live generation is searched
 * until the attempt is complete, and the parts of a first crawl until the new one has some. The caller has locked the source's row.
 * @param how the action for the audit log and the new origin; without an origin, that of the last attempt. That of a cancelled one is
 * only repeated by a retry. A silent attempt emits nothing until it finds a change or fails.
 */
export async function beginAgain(
  ctx: KnowledgeContext,
  trx: Transaction,
  row: Selectable<SourceTable>,
  how: { action: AuditAction; origin?: Origin } | { silent: true },
): Promise<Selectable<SourceTable>> {
  const origin = 'silent' in how ? undefined : how.origin
  const repeatsLast = row.error_code !== 'cancelled' || ('action' in how && how.action === 'source.retried')
  const first = origin === undefined ? await formerOrigin(trx, row, repeatsLast) : firstDocument(origin)
  const begun = await trx
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
      progress_from: 0,
      stage_started_at: null,
      last_emitted_stage: 'queued',
      generation: sql<number>`nextval('source_generation')`,
      silent: 'silent' in how,
      // Without a live generation, the record shows the content to be read.
      ...(row.live_generation === null &&
        origin !== undefined && {
          url: origin.url,
          upload_id: origin.upload?.id ?? null,
          bytes: origin.upload?.size_bytes ?? null,
          video: origin.video && JSON.stringify(origin.video),
        }),
      updated_at: ctx.now(),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await defer(trx, newDocument(trx, begun, first))
  await dropAttempt(ctx, trx, row)
  return enqueue(ctx, trx, begun, 'silent' in how ? null : how.action)
}

/** Deletes the rows of the source's last attempt, unless it is live. */
export async function dropAttempt(ctx: Context, trx: Transaction, row: Selectable<SourceTable>): Promise<void> {
  if (row.generation === row.live_generation) return
  await deleteGeneration(ctx, trx, { baseId: row.base_id, generation: row.generation })
  await deleteDocuments(ctx, trx, row.id, row.generation)
}

/** Returns the statement that inserts document 0 of the source's generation. */
const newDocument = (trx: Transaction, row: Selectable<SourceTable>, document: FirstDocument): CompiledQuery => {
  const { organization_id, id: source_id, base_id, generation } = row
  return trx
    .insertInto('document')
    .values({ ...document, organization_id, generation, ordinal: 0, base_id, source_id })
    .compile()
}

async function enqueue(
  ctx: KnowledgeContext,
  trx: Transaction,
  row: Selectable<SourceTable>,
  action: AuditAction | null,
): Promise<Selectable<SourceTable>> {
  await enqueueProcessing(ctx.jobs, trx, row)
  if (action !== null) await emit(ctx, trx, 'source.processing', toSource(row, ctx.embedder), action)
  return row
}

/**
 * Queues the processing of a source, whose row has the new generation, in the caller's transaction. Organizations take turns,
 * and so do their knowledge bases; within one, jobs run in order.
 */
export async function enqueueProcessing(jobs: Pick<Jobs, 'enqueue'>, trx: Transaction, row: Selectable<SourceTable>): Promise<void> {
  const { queue, cost } = sourceTypes[row.type]
  const data: ProcessSource = { organizationId: row.organization_id, sourceId: row.id, generation: row.generation }
  const priority = sql<number>`-take_turn(${queue.name}, ${row.base_id}, ${cost(row)})`
  await jobs.enqueue(trx, queue, data, { priority, group: row.organization_id })
}

type FirstDocument = Omit<Insertable<DocumentTable>, 'organization_id' | 'generation' | 'ordinal' | 'base_id' | 'source_id'>

/** Returns document 0 of a generation with this origin. Without an upload, its bytes are to be fetched. */
function firstDocument({ url, upload, video }: Origin): FirstDocument {
  return {
    url,
    video: video && JSON.stringify(video),
    ...(upload !== null && {
      upload_id: upload.id,
      file_name: upload.file_name,
      content_type: upload.content_type,
      original_key: upload.storage_key,
      bytes: upload.size_bytes,
    }),
  }
}

/** Returns document 0 of a generation with the origin of the last attempt, or of the live generation if that has no document. */
async function formerOrigin(trx: Transaction, row: Selectable<SourceTable>, repeatsLast: boolean): Promise<FirstDocument> {
  const generations = [...(repeatsLast ? [row.generation] : []), row.live_generation ?? row.generation]
  const { url, video, ...file } = await trx
    .selectFrom('document')
    .select(['url', 'video', 'upload_id', 'file_name', 'content_type', 'original_key', 'bytes'])
    .where('generation', 'in', generations)
    .where('source_id', '=', row.id)
    .where('ordinal', '=', 0)
    // The last attempt has the higher number.
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { url, video: video === null ? null : JSON.stringify(video), ...(file.upload_id !== null && file) }
}
