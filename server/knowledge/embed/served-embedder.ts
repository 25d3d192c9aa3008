import type { EmbeddingPurpose } from './embedder.ts'
import type { EmbeddingModel } from './folder/embedding-model.ts'
import { openTextEncoder } from './folder/text-encoder.ts'
import { openMiniLm } from './minilm.ts'
import type { Precision } from './minilm-graph.ts'
import type { ServedModel } from './serve-model.ts'
import { windowMean } from './vectors.ts'

/** An embedding model and the kind of texts that a worker embeds with it. */
export type EmbeddingWorkerOptions =
  | { readonly kind: 'bundled'; readonly modelFolder: string; readonly precision: Precision }
  | { readonly kind: 'folder'; readonly model: EmbeddingModel; readonly purpose: EmbeddingPurpose }

/** Loads an embedding model into this thread. The vector of a long text is the mean of its windows, see `windowMean`. */
export async function openServedEmbedder(options: EmbeddingWorkerOptions): Promise<ServedModel> {
  if (options.kind === 'bundled') {
    const model = await openMiniLm(options.modelFolder, options.precision)
    return {
      runs: ({ text }) => model.windows(text).map((window) => () => model.embedWindow(window)),
      combine: windowMean,
      close: () => model.close(),
    }
  }
  const model = await openTextEncoder(options.model)
  return {
    runs: ({ text }) => model.windows(text, options.purpose).map((window) => () => model.embedWindow(window)),
    combine: windowMean,
    close: () => model.close(),
  }
}
