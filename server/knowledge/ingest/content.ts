import { withTransaction } from '../../context.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Extractor } from '../extract/extractor.ts'
import { extractPage } from './extract-page.ts'
import { videoDocument } from '../video/document.ts'
import { fileKey, keepFile, updateDocument } from '../rows/documents.ts'
import { storedVideo } from '../video/source-video.ts'
import { enterStage, type Attempt } from '../rows/attempt.ts'
import type { Original } from './original.ts'

/**
 * Returns the extracted text of the original. It is extracted once per generation and stored, since citations point into it.
 * @throws SourceError if the bytes are unreadable; Superseded
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
  await withTransaction(attempt.ctx, (trx) => updateDocument(trx, attempt, document, { content_hash: hash, bytes: bytes.length }))
  const said = {
    bytes,
    ...(document.file_name !== null && { fileName: document.file_name }),
    ...(document.content_type !== null && { contentType: document.content_type }),
  }
  const url = video === null && document.upload_id === null ? document.url : null
  const read =
    url === null
      ? { document: await extractor.extract(said, attempt.signal), canonicalUrl: null }
      : await extractPage(extractor, { ...said, url, fetchedFrom: document.canonical_url ?? url }, attempt.signal)
  const content = video === null ? read.document : videoDocument(read.document, video)
  await keepFile(
    attempt,
    document,
    'content_key',
    { key, bytes: Buffer.from(JSON.stringify(content)) },
    {
      media_type: content.mediaType,
      pages: content.pages,
      language: content.language,
      title: content.title,
      canonical_url: read.canonicalUrl,
      warnings: [...document.warnings, ...content.warnings],
    },
  )
  return content
}
