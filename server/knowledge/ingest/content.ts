import type { Selectable } from 'kysely'
import type { SourceTable } from '../../db/schema.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Extractor } from '../extract/extractor.ts'
import { videoDocument } from '../video/document.ts'
import { enterStage, type Attempt } from './fence.ts'
import { keepFile } from './keep.ts'
import type { Original } from './original.ts'

/**
 * The document in the original, extracted once for each generation and kept: citations point into its text.
 * @throws SourceError when nothing can be read out of the bytes; Superseded
 */
export async function obtainContent(
  attempt: Attempt,
  extractor: Extractor,
  original: Original,
  row: Selectable<SourceTable>,
): Promise<ExtractedDocument> {
  const key = `${attempt.organizationId}/contents/${attempt.sourceId}-${attempt.generation}.json`
  if (row.content_key === key) return JSON.parse((await attempt.ctx.storage.read(key)).toString()) as ExtractedDocument
  await enterStage(attempt, 'extracting', { content_hash: original.hash, bytes: original.bytes.length })
  const extracted = await extractor.extract(
    {
      bytes: original.bytes,
      ...(original.fileName !== null && { fileName: original.fileName }),
      ...(original.contentType !== null && { contentType: original.contentType }),
      ...(original.url !== null && { url: original.url }),
    },
    attempt.signal,
  )
  const document = original.video === null ? extracted : videoDocument(extracted, original.video)
  await keepFile(
    attempt,
    'content_key',
    { key, bytes: Buffer.from(JSON.stringify(document)) },
    { media_type: document.mediaType, pages: document.pages, language: document.language, warnings: [...document.warnings] },
  )
  return document
}
