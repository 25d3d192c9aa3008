import { previewLimits, type CreatePreview, type Preview } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { outsideRequestTransaction, withTransaction } from '../../context.ts'
import type { UploadTable } from '../../db/schema.ts'
import { AppError, SourceError } from '../../lib/errors.ts'
import { MissingFileError } from '../../storage/storage-error.ts'
import { requireBase } from '../rows/bases.ts'
import { chunkingOf, mergeSettings, storedSettings } from '../rows/settings.ts'
import type { Chunk } from '../chunk/chunk.ts'
import type { KnowledgeContext } from '../context.ts'
import type { ExtractInput } from '../extract/draft.ts'
import { outlineOf } from '../sources/outline.ts'
import { settleUpload } from '../uploads/settle.ts'
import { requireUpload } from '../uploads/uploads.ts'
import type { PreviewOf } from './previewer.ts'

/** Maximum characters of chunks in a reply. */
const maxCharacters = 200_000

/**
 * Returns the chunks that a document would have in the knowledge base. Stores nothing, and no transaction is open while it is
 * read.
 * @throws AppError `not_found` for the knowledge base; `validation_error` for a storageUrl that is not ready or belongs to
 * another organization, and for an unreadable document, with the source's error code in `issues`; `rate_limited` during other
 * previews; `unavailable` if the parser does not start
 */
export async function previewDocument(ctx: KnowledgeContext, baseId: string, input: CreatePreview): Promise<Preview> {
  await settleUpload(ctx, input.storageUrl)
  const { base, upload } = await withTransaction(outsideRequestTransaction(ctx), async (trx) => ({
    base: await requireBase(trx, baseId),
    upload: input.storageUrl === undefined ? null : await requireUpload(trx, input.storageUrl),
  }))
  const settings = mergeSettings(storedSettings(base.rag_settings), input.ragSettingsOverride, 'ragSettingsOverride')
  const origin = originOf(ctx, input, upload)
  const field = input.url !== undefined ? 'url' : upload !== null ? 'storageUrl' : 'text'
  const { document, canonicalUrl, bytes, chunks } = await ctx.previewer
    .preview({ origin, chunking: chunkingOf(settings), language: base.language })
    .catch((error: unknown) => {
      throw asRequestError(error, field)
    })
  const { mediaType, title, language, pages, text, warnings } = document
  const shown = firstOf(chunks, input.limit)
  return {
    mediaType,
    title,
    canonicalUrl,
    language,
    bytes,
    pages,
    characters: text.length,
    chunksCount: chunks.length,
    chunks: shown.map((chunk) => ({ ...chunk, headingPath: [...chunk.headingPath] })),
    outline: outlineOf(document),
    warnings: [...warnings],
  }
}

function originOf(
  ctx: KnowledgeContext,
  { url, text = '', fileName }: CreatePreview,
  upload: Selectable<UploadTable> | null,
): PreviewOf['origin'] {
  if (url !== undefined) return { url }
  if (upload === null) return { read: async () => ({ bytes: Buffer.from(text), ...(fileName !== undefined && { fileName }) }) }
  return { read: () => readUpload(ctx, upload) }
}

async function readUpload(
  ctx: KnowledgeContext,
  { storage_key, size_bytes, file_name, content_type }: Selectable<UploadTable>,
): Promise<ExtractInput> {
  if (size_bytes > previewLimits.bytes) {
    throw new SourceError('too_large', `The file is larger than ${previewLimits.bytes / 1_000_000} MB, the maximum size for a preview.`)
  }
  const bytes = await ctx.storage.read(storage_key).catch((error: unknown) => {
    if (!(error instanceof MissingFileError)) throw error
    throw new SourceError('not_found', 'The file of this upload is gone.', { cause: error })
  })
  return { bytes, fileName: file_name, contentType: content_type }
}

/** Converts the failure of a source to an error of the request. A parser that could not start may start later. */
export function asRequestError(error: unknown, field: string): unknown {
  if (!(error instanceof SourceError)) return error
  const { code } = error
  if (code === 'internal' && error.retryable)
    return new AppError('unavailable', 'The document cannot be read at the moment. Try again shortly.', { cause: error })
  const reason = code === 'internal' ? ' because of an internal error' : ''
  const message = `${field} cannot be read${reason}: ${error.message}`
  return new AppError('validation_error', message, { field, issues: [{ field, code, message }], cause: error })
}

function firstOf(chunks: readonly Chunk[], limit: number): Chunk[] {
  let characters = 0
  return chunks.slice(0, limit).filter(({ text }, at) => (characters += text.length) <= maxCharacters || at === 0)
}
