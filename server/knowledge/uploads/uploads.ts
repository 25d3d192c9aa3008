import { wireId, type CreateUpload, type Upload, type UploadStatus } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { audit } from '../../audit/audit.ts'
import { authorOf, type Author } from '../../audit/entry.ts'
import { withTransaction, select, type Context } from '../../context.ts'
import type { PublicContext } from '../../identity/context.ts'
import { defer } from '../../db/deferred.ts'
import type { Transaction, UploadTable } from '../../db/schema.ts'
import type { BinaryBody } from '../../handlers.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { StorageLimitError } from '../../storage/storage-error.ts'
import type { KnowledgeContext, KnowledgeServices } from '../context.ts'
import { enqueueFileDeletion } from './delete-files.ts'
import { readTicket, signTicket } from './ticket.ts'

const lifetimeMs = 24 * 3600 * 1000
/** Time after the expiry until an unused upload is deleted: a transfer that began in time can still end. */
const graceMs = 3600 * 1000

/** Begins an upload: the caller sends the bytes to `uploadUrl`, and adds a source with `storageUrl`. */
export function createUpload(ctx: KnowledgeContext, input: CreateUpload): Promise<Upload> {
  return withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const id = newId(now.getTime())
    const expiresAt = new Date(now.getTime() + lifetimeMs)
    const storageKey = `${ctx.organizationId}/originals/${id}`
    await trx
      .insertInto('upload')
      .values({
        organization_id: ctx.organizationId,
        id,
        file_name: input.fileName,
        content_type: input.contentType,
        size_bytes: input.sizeBytes,
        storage_key: storageKey,
        received_at: null,
        expires_at: expiresAt,
        created_at: now,
      })
      .execute()
    await enqueueFileDeletion(ctx, trx, [storageKey], { delaySeconds: (lifetimeMs + graceMs) / 1000 })
    await audit(ctx, trx, { action: 'upload.created', target: wireId('upl', id) })
    const ticket = signTicket({ organizationId: ctx.organizationId, uploadId: id, expiresAt, holder: authorOf(ctx) }, ctx.secretKey)
    return {
      id: wireId('upl', id),
      uploadUrl: `${ctx.baseUrl}/v1/uploads/${ticket}`,
      method: 'PUT',
      headers: { 'Content-Type': input.contentType },
      storageUrl: storageUrlOf(id),
      expiresAt: expiresAt.toISOString(),
    }
  })
}

/** @throws AppError `not_found` */
export async function getUpload(ctx: KnowledgeContext, uploadId: string): Promise<UploadStatus> {
  const [row] = await select(ctx, (db) => db.selectFrom('upload').selectAll().where('id', '=', uploadId))
  if (row === undefined) throw noSuchUpload()
  return {
    id: wireId('upl', row.id),
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    storageUrl: storageUrlOf(row.id),
    receivedAt: row.received_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}

/**
 * Stores the bytes of an upload; may be repeated until a source uses them.
 * @throws AppError `not_found` for an invalid or expired URL, `bad_request` if the size is not the announced one, `conflict`
 * if the file is already in use
 */
export async function receiveUpload(visit: PublicContext & KnowledgeServices, ticketText: string, bytes: BinaryBody): Promise<void> {
  const ticket = readTicket(ticketText, visit.secretKey)
  if (ticket === null || ticket.expiresAt <= visit.now())
    throw new AppError('not_found', 'The upload does not exist, or its URL has expired.')
  const ctx: Context = { ...visit, organizationId: ticket.organizationId }
  const upload = await withTransaction(ctx, async (trx) => {
    const row = await trx.selectFrom('upload').selectAll().where('id', '=', ticket.uploadId).executeTakeFirst()
    if (row === undefined) throw noSuchUpload()
    await refuseUsed(trx, row.id)
    return row
  })
  if (bytes.length !== null && bytes.length !== upload.size_bytes) throw wrongSize(upload.size_bytes, String(bytes.length))
  const size = await visit.storage.write(upload.storage_key, bytes.stream, upload.size_bytes).catch((error: unknown) => {
    throw error instanceof StorageLimitError ? wrongSize(upload.size_bytes, 'more') : error
  })
  if (size !== upload.size_bytes) {
    await visit.storage.delete(upload.storage_key)
    throw wrongSize(upload.size_bytes, String(size))
  }
  const kept = await withTransaction(ctx, async (trx) => {
    const rows = await trx.updateTable('upload').set({ received_at: ctx.now() }).where('id', '=', upload.id).returning('id').execute()
    if (rows.length === 0) return false
    // The holder of the URL acts for its recipient.
    const author: Author = { ...ticket.holder, ...visit.origin }
    await audit(ctx, trx, { action: 'upload.received', target: wireId('upl', upload.id) }, author)
    return true
  })
  if (!kept) {
    await visit.storage.delete(upload.storage_key)
    throw noSuchUpload()
  }
}

const noSuchUpload = (): AppError => new AppError('not_found', 'The upload does not exist.')

const wrongSize = (announced: number, sent: string): AppError =>
  new AppError('bad_request', `sizeBytes is ${announced}, but ${sent} bytes were sent`, { field: 'sizeBytes' })

async function refuseUsed(trx: Transaction, uploadId: string): Promise<void> {
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

export const storageUrlOf = (uploadId: string): string => `groundwork://uploads/${wireId('upl', uploadId)}`

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

type UploadRow = Selectable<UploadTable>

/** Locks the upload of a storageUrl in one statement. Returns undefined if there is none. */
export async function lockUpload(trx: Transaction, storageUrl: string): Promise<UploadRow | undefined> {
  const id = /^groundwork:\/\/uploads\/upl_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(storageUrl)?.[1]
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
