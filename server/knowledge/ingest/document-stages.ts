import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { setImmediate } from 'node:timers/promises'
import { withTransaction } from '../../context.ts'
import type { SourceTable } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import { SourceError } from '../../lib/errors.ts'
import { chunkInBackground } from '../chunk/background-chunker.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { ExtractInput } from '../extract/draft.ts'
import { enterStage, updateFenced, type Attempt } from '../rows/attempt.ts'
import { fileKey, keepFile, updateDocument, type Document } from '../rows/documents.ts'
import { toSource } from '../rows/source-record.ts'
import type { Fetched, DocumentChunks, Run } from './source-type.ts'

/** The parts of the stages in which source types of one document differ. */
export interface DocumentType {
  /**
   * Fetches the bytes of a document that was not uploaded and stores them.
   * @returns null if the response is unchanged since the live document
   * @throws SourceError if they cannot be fetched; Superseded
   */
  readonly download: (run: Run) => Promise<Document | null>
  /** @throws SourceError if the bytes are unreadable */
  readonly extract: (run: Run, input: ExtractInput, document: Document) => Promise<Extracted>
}

interface Extracted {
  readonly document: ExtractedDocument
  readonly canonicalUrl?: string
}

interface Original {
  /** With its `original_key`. */
  readonly document: Document
  readonly bytes: Buffer
  /** SHA-256, hexadecimal. */
  readonly hash: string
}

/** Returns the stages for sources of one document, each kept, so that a killed attempt resumes after the last one. */
export function documentStages(type: DocumentType): (run: Run) => Promise<Fetched> {
  return async (run) => {
    const original = await fetchOriginal(run, type)
    if (original === null || isSame(original, run.serving)) return { unchanged: true, document: original?.document ?? null }
    if (run.row.silent) await endSilence(run.attempt)
    return {
      unchanged: false,
      async extract() {
        const content = await extractOriginal(run, type, original)
        return { chunk: () => chunkDocument(run, content) }
      },
    }
  }
}

/** The estimated cost of a job by the size of the document; for a URL, its last size. */
export function costBySize({ bytes }: Pick<Selectable<SourceTable>, 'bytes'>): number {
  if (bytes === null) return 2
  return bytes <= 200_000 ? 1 : bytes <= 4_000_000 ? 4 : 16
}

/** Returns the bytes of a document: uploaded, or fetched once per generation and stored. */
async function fetchOriginal(run: Run, { download }: DocumentType): Promise<Original | null> {
  const { attempt, document } = run
  if (document.original_key !== null) return readOriginal(attempt, document)
  await enterStage(attempt, 'fetching')
  const fetched = await download(run)
  return fetched === null ? null : readOriginal(attempt, fetched)
}

async function readOriginal({ ctx }: Attempt, document: Document): Promise<Original> {
  if (document.original_key === null) throw new SourceError('internal', 'The file of this source is missing.')
  const bytes = await ctx.storage.read(document.original_key)
  return { document, bytes, hash: await digest(bytes) }
}

/** Returns the SHA-256, hexadecimal, without keeping requests waiting: 200 MB take half a second. */
async function digest(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < bytes.length; from += digestedAtOnce) {
    hash.update(bytes.subarray(from, from + digestedAtOnce))
    await setImmediate()
  }
  return hash.digest('hex')
}

const digestedAtOnce = 4 * 2 ** 20

/** Returns whether an original equals the live one: the same bytes and metadata. */
const isSame = ({ hash, document }: Original, serving: Document | null): boolean =>
  hash === serving?.content_hash && JSON.stringify(document.video) === JSON.stringify(serving.video)

/** Emits the event of a silent attempt that has found a change; the attempt is silent no more. */
async function endSilence(attempt: Attempt): Promise<void> {
  await withTransaction(attempt.ctx, async (trx) => {
    const row = await updateFenced(trx, attempt, { silent: false })
    await emit(attempt.ctx, trx, 'source.processing', toSource(row, attempt.ctx.embedder), 'source.synced')
  })
}

/** Returns the extracted text. It is extracted once per generation and stored, since citations point into it. */
async function extractOriginal(run: Run, type: DocumentType, { document, bytes, hash }: Original): Promise<ExtractedDocument> {
  const { attempt } = run
  const key = `${fileKey(attempt, 'contents', document)}.json`
  if (document.content_key === key) return JSON.parse((await attempt.ctx.storage.read(key)).toString()) as ExtractedDocument
  await enterStage(attempt, 'extracting')
  await withTransaction(attempt.ctx, (trx) => updateDocument(trx, attempt, document, { content_hash: hash, bytes: bytes.length }))
  const input: ExtractInput = {
    bytes,
    ...(document.file_name !== null && { fileName: document.file_name }),
    ...(document.content_type !== null && { contentType: document.content_type }),
  }
  const { document: content, canonicalUrl = null } = await type.extract(run, input, document)
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
      canonical_url: canonicalUrl,
      warnings: [...document.warnings, ...content.warnings],
    },
  )
  return content
}

async function chunkDocument({ attempt, chunking }: Run, content: ExtractedDocument): Promise<DocumentChunks> {
  await enterStage(attempt, 'chunking')
  const chunks = await chunkInBackground(content, chunking, attempt.signal)
  const document = { title: content.title, language: content.language }
  return { chunks: chunks.map((chunk) => ({ chunk, document })), total: chunks.length }
}
