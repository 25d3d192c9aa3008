import { atomically } from '../../context.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Extractor } from '../extract/extractor.ts'
import { videoDocument } from '../video/document.ts'
import { fileKey, keepFile, updateDocument } from './documents.ts'
import { storedVideo } from '../video/source-video.ts'
import { enterStage, type Attempt } from './fence.ts'
import type { Original } from './original.ts'

/**
 * What is to be read in the original, extracted once for each generation and kept: citations point into its text.
 * @throws SourceError when nothing can be read out of the bytes; Superseded
 */
export async function obtainContent(
  attempt: Attempt,
  extractor: Extractor,
  { document, bytes, hash }: Original,
): Promise<ExtractedDocument> {
  const key = `${fileKey(attempt, 'contents', document)}.json`
  if (document.content_key === key) return JSON.parse((await attempt.ctx.storage.read(key)).toString()) as ExtractedDocument
  const video = storedVideo(document.video)
  await enterStage(attempt, 'extracting')
  await atomically(attempt.ctx, (trx) => updateDocument(trx, attempt, document, { content_hash: hash, bytes: bytes.length }))
  const extracted = await extractor.extract(
    {
      bytes,
      ...(document.file_name !== null && { fileName: document.file_name }),
      ...(document.content_type !== null && { contentType: document.content_type }),
      ...(document.url !== null && document.upload_id === null && video === null && { url: document.url }),
    },
    attempt.signal,
  )
  const content = video === null ? extracted : videoDocument(extracted, video)
  await keepFile(
    attempt,
    document,
    'content_key',
    { key, bytes: Buffer.from(JSON.stringify(content)) },
    { media_type: content.mediaType, pages: content.pages, language: content.language, warnings: [...content.warnings] },
  )
  return content
}
