import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { childEntry, entryPoint } from '../../lib/entry.ts'
import { cachedQueries } from './cached-queries.ts'
import type { Embedder, EmbeddingPurpose } from './embedder.ts'
import { disableOnnxTelemetry } from './onnx-runtime.ts'
import { startProcess, startThread } from './pool-member.ts'
import type { EmbeddingWorkerOptions } from './served-embedder.ts'
import { createWorkerPool } from './worker-pool.ts'

export interface LocalEmbedderOptions {
  /** Stored with every vector, see `Embedder`. */
  readonly model: string
  readonly dimensions: number
  /** See `Embedder`. */
  readonly competence: Embedder['competence']
  /** What a worker loads. */
  readonly worker: (purpose: EmbeddingPurpose) => EmbeddingWorkerOptions
  /** Maximum processes for passages, started on demand. By default one per core, up to 8. */
  readonly processes?: number | undefined
  readonly log?: Pick<Logger, 'warn'> | undefined
}

const rememberedQueries = 500
export const defaultProcesses = (): number => Math.min(availableParallelism(), 8)

/**
 * Returns a model of this machine. Queries are embedded in a thread of this process, passages in processes of low priority; each is
 * started when it is needed.
 */
export function localEmbedder(options: LocalEmbedderOptions): Embedder {
  const { model, dimensions, competence, worker, processes = defaultProcesses(), log } = options
  disableOnnxTelemetry()
  const thread = entryPoint(import.meta.url, './embedding-worker')
  const process = [...childEntry(import.meta.url, './embedding-process'), JSON.stringify(worker('passage'))]
  const queries = createWorkerPool({ start: () => startThread(thread, worker('query')), size: 1, log })
  const passages = createWorkerPool({ start: () => startProcess(process), size: processes, log })

  return cachedQueries(
    {
      model,
      dimensions,
      competence,
      embed: (texts, purpose, signal) => (purpose === 'query' ? queries : passages).embed(texts, signal),
      load: () => queries.ready(),
      expectedMs: () => queries.expectedMs(),
      async close() {
        await Promise.all([queries.close(), passages.close()])
      },
    },
    rememberedQueries,
  )
}
