import { wireId } from '@groundwork/api'
import { audit } from '../../audit/audit.ts'
import type { Author } from '../../audit/entry.ts'
import { withTransaction, type Context } from '../../context.ts'
import type { BinaryBody } from '../../handlers.ts'
import type { PublicContext } from '../../identity/context.ts'
import { AppError } from '../../lib/errors.ts'
import { MissingFileError, StorageLimitError } from '../../storage/storage-error.ts'
import type { KnowledgeServices } from '../context.ts'
import { bytesOfPart } from './parts.ts'
import { readTicket, type Ticket } from './ticket.ts'
import { noSuchUpload, wrongSize, type UploadRow } from './upload-row.ts'
import { refuseUsed } from './uploads.ts'

/**
 * Stores the bytes of an upload; may be repeated until a source uses them.
 * @throws AppError `not_found` for an invalid or expired URL, `bad_request` if the size is not the announced one, `conflict`
 * if the file is already in use
 */
export async function receiveUpload(visit: PublicContext & KnowledgeServices, ticketText: string, bytes: BinaryBody): Promise<void> {
  const { ctx, ticket, upload } = await openTicket(visit, ticketText)
  if (bytes.length !== null && bytes.length !== upload.size_bytes) throw wrongSize(upload.size_bytes, String(bytes.length))
  const size = await visit.storage.write(upload.storage_key, bytes.stream, upload.size_bytes).catch((error: unknown) => {
    throw error instanceof StorageLimitError ? wrongSize(upload.size_bytes, 'more') : error
  })
  if (size !== upload.size_bytes) {
    await visit.storage.delete(upload.storage_key)
    throw wrongSize(upload.size_bytes, String(size))
  }
  const kept = await withTransaction(ctx, async (trx) => {
    const rows = await trx
      .updateTable('upload')
      .set({ received_at: ctx.now(), parts_id: null })
      .where('id', '=', upload.id)
      .returning('id')
      .execute()
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

/**
 * Stores the bytes of a part; may be repeated until the upload is complete.
 * @throws AppError as `receiveUpload`
 */
export async function receivePart(
  visit: PublicContext & KnowledgeServices,
  ticketText: string,
  number: number,
  bytes: BinaryBody,
): Promise<void> {
  const { upload } = await openTicket(visit, ticketText)
  const sizeBytes = bytesOfPart(upload.size_bytes, number)
  if (upload.parts_id === null) throw new AppError('conflict', 'The upload is complete, or it has no parts.')
  if (sizeBytes === null) throw new AppError('not_found', 'The upload has no such part.')
  if (bytes.length !== null && bytes.length !== sizeBytes) throw wrongSize(sizeBytes, String(bytes.length))
  const { storage_key: key, parts_id: partsId } = upload
  const size = await visit.storage.incoming.writePart(key, partsId, number, bytes.stream, sizeBytes).catch((error: unknown) => {
    if (error instanceof MissingFileError) throw new AppError('conflict', 'The upload is complete, or must be resumed.', { cause: error })
    throw error instanceof StorageLimitError ? wrongSize(sizeBytes, 'more') : error
  })
  // A short part counts as missing until it is sent again.
  if (size !== sizeBytes) throw wrongSize(sizeBytes, String(size))
}

interface Opened {
  readonly ctx: Context
  readonly ticket: Ticket
  readonly upload: UploadRow
}

/** @throws AppError `not_found` for an invalid or expired ticket, `conflict` if the file is already in use */
async function openTicket(visit: PublicContext & KnowledgeServices, ticketText: string): Promise<Opened> {
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
  return { ctx, ticket, upload }
}
