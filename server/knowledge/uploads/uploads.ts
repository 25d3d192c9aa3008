import { wireId, type CreateUpload, type Upload, type UploadStatus } from '@groundwork/api'
import { audit } from '../../audit/audit.ts'
import { withTransaction, select } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import type { Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { KnowledgeContext } from '../context.ts'
import { enqueueFileDeletion } from './delete-files.ts'
import { missingParts } from './parts.ts'
import { settleUpload } from './settle.ts'
import { apiUrlOf } from './ticket.ts'
import { idOf, noSuchUpload, storageUrlOf, type UploadRow } from './upload-row.ts'

const lifetimeMs = 24 * 3600 * 1000
/** Time after the expiry until an unused upload is deleted: a transfer that began in time can still end. */
const graceMs = 3600 * 1000

/** Begins an upload: the caller sends the bytes to `uploadUrl` or in parts, and adds a source with `storageUrl`. */
export async function createUpload(ctx: KnowledgeContext, input: CreateUpload): Promise<Upload> {
  const { incoming } = ctx.storage
  const now = ctx.now()
  const id = newId(now.getTime())
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  const key = `${ctx.organizationId}/originals/${id}`
  const { contentType, sizeBytes, fileName } = input
  const signed = await incoming.presign(key, { contentType, sizeBytes, expiresInSeconds: lifetimeMs / 1000 })
  const partsId = input.parts ? await incoming.beginParts(key, contentType) : null
  const row = await withTransaction(ctx, async (trx) => {
    const inserted = await trx
      .insertInto('upload')
      .values({
        organization_id: ctx.organizationId,
        id,
        file_name: fileName,
        content_type: contentType,
        size_bytes: sizeBytes,
        storage_key: key,
        received_at: null,
        expires_at: expiresAt,
        parts_id: partsId,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueueFileDeletion(ctx, trx, [key], { delaySeconds: (lifetimeMs + graceMs) / 1000 })
    await audit(ctx, trx, { action: 'upload.created', target: wireId('upl', id) })
    return inserted
  })
  return {
    id: wireId('upl', id),
    uploadUrl: signed?.url ?? apiUrlOf(ctx, row),
    method: 'PUT',
    headers: signed?.headers ?? { 'Content-Type': contentType },
    parts: partsId === null ? null : await missingParts(ctx, row, partsId, new Set()),
    storageUrl: storageUrlOf(id),
    expiresAt: expiresAt.toISOString(),
  }
}

/** @throws AppError `not_found`; `validation_error` as `settleUpload` */
export async function getUpload(ctx: KnowledgeContext, uploadId: string): Promise<UploadStatus> {
  await settleUpload(ctx, storageUrlOf(uploadId))
  const [row] = await select(ctx, (db) => db.selectFrom('upload').selectAll().where('id', '=', uploadId))
  if (row === undefined) throw noSuchUpload()
  return statusOf(ctx, row)
}

/** Returns the state of an upload. */
export async function statusOf(ctx: KnowledgeContext, row: UploadRow): Promise<UploadStatus> {
  const received = row.parts_id === null ? null : await ctx.storage.incoming.listParts(row.storage_key, row.parts_id)
  return {
    id: wireId('upl', row.id),
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    storageUrl: storageUrlOf(row.id),
    receivedParts: row.parts_id === null ? null : (received ?? []).map(({ number }) => number),
    receivedAt: row.received_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}

/** @throws AppError `conflict` */
export async function refuseUsed(trx: Transaction, uploadId: string): Promise<void> {
  if (await isUsed(trx, uploadId)) throw new AppError('conflict', 'This file is already in use. Start another upload.')
}

async function isUsed(trx: Transaction, uploadId: string): Promise<boolean> {
  const document = await trx.selectFrom('document').select('source_id').where('upload_id', '=', uploadId).executeTakeFirst()
  if (document !== undefined) return true
  const file = await trx.selectFrom('proposal_file').select('proposal_id').where('upload_id', '=', uploadId).executeTakeFirst()
  if (file !== undefined) return true
  const { logo } = await trx.selectFrom('organization').select('logo').executeTakeFirstOrThrow()
  return logo?.uploadId === uploadId
}

/**
 * Returns the finished upload of a storageUrl for a source or a proposal that this transaction creates.
 * @param locked the result of `lockUpload`, if the caller has it
 * @throws AppError as `requireUpload`
 */
export async function takeUpload(trx: Transaction, storageUrl: string, locked?: UploadRow): Promise<UploadRow> {
  const upload = await requireUpload(trx, storageUrl, locked)
  if (!upload.used) await defer(trx, trx.updateTable('upload').set({ used: true }).where('id', '=', upload.id).compile())
  return upload
}

/** Locks the upload of a storageUrl in one statement. Returns undefined if there is none. */
export async function lockUpload(trx: Transaction, storageUrl: string): Promise<UploadRow | undefined> {
  const id = idOf(storageUrl)
  return id === undefined ? undefined : trx.selectFrom('upload').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/**
 * Returns the finished upload of a storageUrl, locked until the transaction ends.
 * @throws AppError `validation_error`, field `storageUrl`, if the actor has no access to such an upload, if it was deleted with
 * the last source or proposal that used it, or if it has no bytes yet
 */
export async function requireUpload(trx: Transaction, storageUrl: string, locked?: UploadRow): Promise<UploadRow> {
  const row = locked ?? (await lockUpload(trx, storageUrl))
  if (row === undefined || (row.used && !(await isUsed(trx, row.id))))
    throw new AppError('validation_error', 'storageUrl must be the URL of an upload of this organization', { field: 'storageUrl' })
  if (row.received_at === null)
    throw new AppError('validation_error', 'storageUrl is the URL of an upload whose content has not been received yet', {
      field: 'storageUrl',
    })
  return row
}
