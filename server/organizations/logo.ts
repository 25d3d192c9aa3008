import type { Organization } from '@groundwork/api'
import { select } from '../context.ts'
import type { StoredLogo, Transaction } from '../db/schema.ts'
import type { FileContext } from '../files/context.ts'
import { enqueueStoredFileDeletion, storeFile } from '../files/stored-files.ts'
import { uploadedImage, type UploadedFile } from '../files/uploaded-file.ts'
import type { FileResponse } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'

/** Maximum size in bytes. Each page and each PDF contains the logo. */
const maxBytes = 1_000_000
const maxDecodedBytes = 16_000_000
const field = 'logo.storageUrl'

/** @throws AppError `validation_error`, `unavailable` */
export async function readLogo(ctx: FileContext, storageUrl: string): Promise<UploadedFile> {
  const file = await uploadedImage(ctx, { storageUrl, field, maxBytes })
  if ((file.decodedBytes ?? 0) > maxDecodedBytes)
    throw new AppError('validation_error', 'The logo can have at most 4 megapixels.', { field })
  return file
}

/** Stores a new logo, or none, and deletes the former one. Returns the column. */
export async function replaceLogo(ctx: FileContext, trx: Transaction, file: UploadedFile | null): Promise<string | null> {
  const { logo: former } = await trx.selectFrom('organization').select('logo').forUpdate().executeTakeFirstOrThrow()
  const stored = file === null ? null : await storeFile(ctx, trx, file, field)
  if (former !== null && former.key !== stored?.key) await enqueueStoredFileDeletion(ctx, trx, [former])
  if (stored === null || file?.size == null || file.mediaType === 'application/pdf') return null
  const { sha256, mediaType, size, bytes } = file
  const logo: StoredLogo = { sha256, mediaType, sizeBytes: bytes.length, ...size, ...stored }
  return JSON.stringify(logo)
}

/** Returns the logo without its place in the storage. */
export function toLogo(logo: StoredLogo | null): Organization['logo'] {
  if (logo === null) return null
  const { sha256, mediaType, sizeBytes, width, height } = logo
  return { sha256, mediaType, sizeBytes, width, height }
}

/** @throws AppError `not_found` without a logo */
export async function getLogo(ctx: FileContext): Promise<FileResponse> {
  const [organization] = await select(ctx, (db) => db.selectFrom('organization').select('logo'))
  const logo = organization?.logo ?? null
  if (logo === null) throw new AppError('not_found', 'The organization has no logo.')
  return {
    name: `logo.${logo.mediaType === 'image/png' ? 'png' : 'jpg'}`,
    mediaType: logo.mediaType,
    sizeBytes: logo.sizeBytes,
    etag: `"${logo.sha256}"`,
    open: (range) => ctx.storage.open(logo.key, range),
  }
}
