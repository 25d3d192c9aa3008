import { createHash } from 'node:crypto'
import { withTransaction } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { LimitedProcessError } from '../lib/limited-process.ts'
import { cleanImage } from './clean-image.ts'
import type { FileContext } from './context.ts'
import { ImageError, type CleanImage } from './image.ts'

/** A file of an upload in the form in which it is stored. */
export interface UploadedFile {
  readonly storageUrl: string
  readonly bytes: Buffer
  /** SHA-256 of `bytes` in hexadecimal. */
  readonly sha256: string
  readonly mediaType: 'image/png' | 'image/jpeg' | 'application/pdf'
  /** Null for a PDF, as `decodedBytes`. */
  readonly size: { readonly width: number; readonly height: number } | null
  readonly decodedBytes: number | null
}

interface Source {
  readonly storageUrl: string
  /** The field of the request, for errors. */
  readonly field: string
  readonly maxBytes: number
}

/**
 * Returns the image of an upload without metadata. The decoder of the PDF renderer has read it, so that every PDF can show it.
 * @throws AppError `validation_error` with the field, `unavailable` if the decoder does not start
 */
export async function uploadedImage(ctx: FileContext, source: Source): Promise<UploadedFile> {
  const original = await readUpload(ctx, source)
  const image = orRefuse(source.field, () => cleanImage(original))
  await requireDecodable(ctx, image, source.field)
  const { bytes, mediaType, width, height, decodedBytes } = image
  return { storageUrl: source.storageUrl, bytes, sha256: sha256Of(bytes), mediaType, size: { width, height }, decodedBytes }
}

/**
 * Returns the PDF of an upload as it is. It is never opened here: readers download it.
 * @throws AppError `validation_error` with the field
 */
export async function uploadedPdf(ctx: FileContext, source: Source): Promise<UploadedFile> {
  const bytes = await readUpload(ctx, source)
  if (!bytes.subarray(0, 5).equals(pdfSignature) || !bytes.subarray(-1024).includes('%%EOF'))
    throw new AppError('validation_error', 'The file must be a PDF.', { field: source.field })
  return { storageUrl: source.storageUrl, bytes, sha256: sha256Of(bytes), mediaType: 'application/pdf', size: null, decodedBytes: null }
}

const pdfSignature = Buffer.from('%PDF-')

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function readUpload(ctx: FileContext, { storageUrl, field, maxBytes }: Source): Promise<Buffer> {
  await namingField(field, ctx.uploads.settle(ctx, storageUrl))
  const upload = await withTransaction(ctx, (trx) => namingField(field, ctx.uploads.require(trx, storageUrl)))
  if (upload.size_bytes > maxBytes) throw new AppError('validation_error', `The file is larger than ${maxBytes / 1_000_000} MB.`, { field })
  return ctx.storage.read(upload.storage_key)
}

/** Rejects with the field of the request in place of `storageUrl`. */
export const namingField = <T>(field: string, upload: Promise<T>): Promise<T> =>
  upload.catch((error: unknown) => {
    throw error instanceof AppError ? new AppError(error.code, error.message, { field, cause: error }) : error
  })

async function requireDecodable(ctx: FileContext, { bytes, mediaType }: CleanImage, field: string): Promise<void> {
  try {
    await ctx.pdfRenderer.checkImage({ bytes, mediaType })
  } catch (error) {
    if (error instanceof LimitedProcessError && error.failure === 'not_started')
      throw new AppError('unavailable', 'The image could not be checked. Try again in a minute.', { cause: error })
    throw new AppError('validation_error', 'The image is damaged, or too complex to be shown.', { field, cause: error })
  }
}

function orRefuse<T>(field: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ImageError) throw new AppError('validation_error', error.message, { field })
    throw error
  }
}
