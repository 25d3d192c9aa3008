import type { ChunkingSettings } from '../chunk/chunk.ts'
import type { Embedder } from '../embed/embedder.ts'

/** All that decides what becomes of a text: a source whose text and this are the same has the same index. */
export const indexedAs = (
  { model, dimensions }: Pick<Embedder, 'model' | 'dimensions'>,
  { strategy, size, overlap }: ChunkingSettings,
): string => JSON.stringify([model, dimensions, strategy, size, overlap])
