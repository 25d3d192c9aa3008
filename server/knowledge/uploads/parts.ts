import { uploadPartBytes, wireId, type UploadParts, type UploadStatus } from '@groundwork/api'
import { audit } from '../../audit/audit.ts'
import { select, withTransaction } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { apiUrlOf } from './ticket.ts'
import { noSuchUpload, type UploadRow } from './upload-row.ts'

type Part = UploadParts['parts'][number]

/** Returns the number of parts of a file. An empty file has one part. */
const countParts = (sizeBytes: number): number => Math.max(1, Math.ceil(sizeBytes / uploadPartBytes))

/** Returns the number of bytes of a part; null if the file has no such part. */
export const bytesOfPart = (sizeBytes: number, number: number): number | null =>
  number > countParts(sizeBytes) ? null : Math.min(uploadPartBytes, sizeBytes - (number - 1) * uploadPartBytes)

/** Returns the parts that were not received, with their URLs. */
export async function missingParts(ctx: KnowledgeContext, row: UploadRow, partsId: string, received: ReadonlySet<number>): Promise<Part[]> {
  const { storage_key: key, size_bytes: total } = row
  const expiresInSeconds = Math.max(1, Math.floor((row.expires_at.getTime() - ctx.now().getTime()) / 1000))
  const parts: Part[] = []
  for (let number = 1; number <= countParts(total); number += 1) {
    if (received.has(number)) continue
    const sizeBytes = bytesOfPart(total, number) ?? 0
    const signed = await ctx.storage.incoming.presignPart(key, partsId, { number, sizeBytes, expiresInSeconds })
    const url = signed?.url ?? `${apiUrlOf(ctx, row)}/parts/${number}`
    parts.push({ number, firstByte: (number - 1) * uploadPartBytes, sizeBytes, url })
  }
  return parts
}

/**
 * Returns the parts that were not received, with new URLs. If the storage has lost all parts, for example because it was moved, the
 * upload begins again.
 * @throws AppError `not_found`, `conflict`
 */
export async function resumeParts(ctx: KnowledgeContext, uploadId: string): Promise<UploadParts> {
  const row = await rowOf(ctx, uploadId)
  if (row.expires_at <= ctx.now()) throw noSuchUpload()
  if (row.received_at !== null) throw new AppError('conflict', 'The upload is complete.')
  if (row.parts_id === null) throw new AppError('conflict', 'The upload has no parts. Send all bytes to its uploadUrl.')
  const { incoming } = ctx.storage
  const received = await incoming.listParts(row.storage_key, row.parts_id)
  const partsId = received === null ? await incoming.beginParts(row.storage_key, row.content_type) : row.parts_id
  if (received === null)
    await withTransaction(ctx, (trx) => trx.updateTable('upload').set({ parts_id: partsId }).where('id', '=', uploadId).execute())
  const complete = (received ?? []).filter(({ number, sizeBytes }) => bytesOfPart(row.size_bytes, number) === sizeBytes)
  return {
    parts: await missingParts(ctx, row, partsId, new Set(complete.map(({ number }) => number))),
    expiresAt: row.expires_at.toISOString(),
  }
}

/**
 * Joins the parts to a file. Succeeds again once it is complete.
 * @throws AppError `not_found`, `conflict` if parts are missing
 */
export async function completeParts(
  ctx: KnowledgeContext,
  uploadId: string,
  statusOf: (ctx: KnowledgeContext, row: UploadRow) => Promise<UploadStatus>,
): Promise<UploadStatus> {
  const found = await rowOf(ctx, uploadId)
  if (found.received_at !== null) return statusOf(ctx, found)
  if (found.parts_id === null) throw new AppError('conflict', 'The upload has no parts.')
  const { incoming } = ctx.storage
  const { storage_key: key, parts_id: partsId, size_bytes: total } = found
  const parts = await incoming.listParts(key, partsId)
  const complete = (parts ?? []).filter(({ number, sizeBytes }) => bytesOfPart(total, number) === sizeBytes)
  const joined =
    parts !== null && complete.length === countParts(total) && parts.length === complete.length && (await incoming.joinParts(key, partsId))
  // An earlier request may have joined them, and was killed before it could record that.
  if (!joined && !(parts === null && (await ctx.storage.exists(key)) && (await ctx.storage.sizeBytes(key)) === total)) {
    const missing = countParts(total) - complete.length
    throw new AppError('conflict', `${missing} of ${countParts(total)} parts of the upload have not been received.`)
  }
  const row = await withTransaction(ctx, async (trx) => {
    const updated = await trx
      .updateTable('upload')
      .set({ received_at: ctx.now(), parts_id: null })
      .where('id', '=', uploadId)
      .where('received_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (updated !== undefined) await audit(ctx, trx, { action: 'upload.received', target: wireId('upl', uploadId) })
    return updated
  })
  return statusOf(ctx, row ?? (await rowOf(ctx, uploadId)))
}

/** @throws AppError `not_found` */
async function rowOf(ctx: KnowledgeContext, uploadId: string): Promise<UploadRow> {
  const [row] = await select(ctx, (db) => db.selectFrom('upload').selectAll().where('id', '=', uploadId))
  if (row === undefined) throw noSuchUpload()
  return row
}
