import type { ChunkingSettings } from '../chunk/chunk.ts'
import type { Embedder } from '../embed/embedder.ts'

/** Returns the index configuration: sources with equal text and equal configuration have equal indexes. */
export const indexConfig = (
  { model, dimensions }: Pick<Embedder, 'model' | 'dimensions'>,
  { strategy, size, overlap }: ChunkingSettings,
): string => JSON.stringify([model, dimensions, strategy, size, overlap])
