import { hasPages } from '@groundwork/api'
import { createHash } from 'node:crypto'
import { withTransaction } from '../../context.ts'
import { SourceError } from '../../lib/errors.ts'
import { MissingFileError } from '../../storage/storage-error.ts'
import { chunkInBackground } from '../chunk/background-chunker.ts'
import type { ChunkingSettings } from '../chunk/chunk.ts'
import { chunksOfPages } from '../crawl/page-chunks.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { DocumentChunk } from '../index/write.ts'
import { Superseded } from '../rows/attempt.ts'
import { fenceBuild, type Build } from './build-fence.ts'

export interface StoredText {
  /** Identifies the texts. */
  readonly digest: string
  chunks(chunking: ChunkingSettings): AsyncIterable<DocumentChunk>
}

/**
 * Returns the stored texts of the live generation of a source.
 * @throws SourceError `internal` if they are missing; Superseded, also for a site that is being crawled
 */
export async function storedText(build: Build): Promise<StoredText> {
  const { document, pages } = await withTransaction(build.ctx, async (trx) => {
    const row = await fenceBuild(trx, build)
    const source = await trx.selectFrom('source').select(['type', 'status']).where('id', '=', build.sourceId).executeTakeFirstOrThrow()
    const first = trx.selectFrom('document').select(['content_key', 'title']).where('generation', '=', row.of_generation)
    if (!hasPages(source.type)) return { document: await first.where('ordinal', '=', 0).executeTakeFirst(), pages: null }
    if (source.status === 'processing') throw new Superseded(`source ${build.sourceId} is being crawled`)
    return {
      document: undefined,
      pages: await trx
        .selectFrom('source_page')
        .select(['id', 'content_key', 'title', 'language'])
        .where('source_id', '=', build.sourceId)
        .where('indexed', '=', true)
        .orderBy('depth')
        .orderBy('place')
        .orderBy('id')
        .execute(),
    }
  })
  if (pages !== null) {
    return {
      digest: digestOf(pages.map(({ id, content_key }) => `${id} ${content_key}`)),
      chunks: (chunking) => chunksOfPages(build, pages, chunking),
    }
  }
  const key = document?.content_key ?? null
  if (key === null) throw missing()
  return { digest: digestOf([key]), chunks: (chunking) => chunksOfDocument(build, key, chunking) }
}

const digestOf = (parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

async function* chunksOfDocument({ ctx, signal }: Build, key: string, chunking: ChunkingSettings): AsyncGenerator<DocumentChunk> {
  const content = JSON.parse((await ctx.storage.read(key)).toString()) as ExtractedDocument
  const document = { title: content.title, language: content.language }
  for (const chunk of await chunkInBackground(content, chunking, signal)) yield { chunk, document }
}

const missing = (cause?: unknown): SourceError =>
  new SourceError('internal', 'The text that was read of this source is not kept.', { cause })

/** Explains a missing text: its content was replaced, or it is lost. */
export async function explainMissing(build: Build, error: unknown): Promise<unknown> {
  if (!(error instanceof MissingFileError)) return error
  try {
    await storedText(build)
    return missing(error)
  } catch (other) {
    return other
  }
}
