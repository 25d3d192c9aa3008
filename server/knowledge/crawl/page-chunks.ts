import { chunkInBackground } from '../chunk/background-chunker.ts'
import type { ChunkingSettings } from '../chunk/chunk.ts'
import type { DocumentChunk } from '../index/write.ts'
import type { Attempt } from '../rows/attempt.ts'
import { readContent } from './frontier-table.ts'

/** A page whose text is part of a generation. */
export interface IndexedPage {
  readonly id: string
  readonly content_key: string | null
  readonly title: string | null
  readonly language: string | null
}

/**
 * Yields the chunks of a site page by page: all of a large site would not fit in memory.
 * @param firstOrdinal ordinal of the first chunk
 */
export async function* chunksOfPages(
  attempt: Pick<Attempt, 'ctx' | 'signal'>,
  pages: readonly IndexedPage[],
  chunking: ChunkingSettings,
  firstOrdinal = 0,
): AsyncGenerator<DocumentChunk> {
  let ordinal = firstOrdinal
  for (const { id, title, language, content_key } of pages) {
    const { document } = await readContent(attempt, content_key)
    const of = { title, language, pageId: id }
    for (const chunk of await chunkInBackground(document, chunking, attempt.signal))
      yield { chunk: { ...chunk, ordinal: ordinal++ }, document: of }
  }
}
