import type { Logger } from 'pino'
import { entryPoint } from '../../lib/entry.ts'
import { maxWorkers } from '../embed/folder/folder-embedder.ts'
import { disableOnnxTelemetry } from '../embed/onnx-runtime.ts'
import { startThread } from '../embed/pool-member.ts'
import { createWorkerPool } from '../embed/worker-pool.ts'
import { maxDocumentLength, RerankError, wellFormed, type Reranker } from './reranker.ts'
import { readRerankingModel } from './reranking-model.ts'

export interface FolderRerankerOptions {
  readonly folder: string
  /** Maximum threads, started on demand; see `maxWorkers` for the default. */
  readonly threads?: number
  /** Timeout of one call; 3 s by default. */
  readonly timeoutMs?: number
  readonly log?: Pick<Logger, 'warn'>
}

/**
 * Opens a cross-encoder from a folder. It runs in threads of this process, one pair at a time each. Resolves when it can rerank.
 * @throws ModelFolderError that names the missing or unusable file
 */
export async function openFolderReranker({ folder, threads, timeoutMs = 3000, log }: FolderRerankerOptions): Promise<Reranker> {
  const model = await readRerankingModel(folder)
  disableOnnxTelemetry()
  const entry = entryPoint(import.meta.url, './reranking-worker')
  const pool = createWorkerPool({ start: () => startThread(entry, model), size: threads ?? (await maxWorkers(model)), log })
  await pool.ready()
  return {
    model: model.name,
    async rerank(query, documents, signal) {
      if (documents.length === 0) return []
      signal.throwIfAborted()
      if (pool.expectedMs() > timeoutMs) throw new RerankError('The reranking model has too many passages before these')
      const late = AbortSignal.timeout(timeoutMs)
      const inputs = documents.map((document) => ({
        text: wellFormed(query),
        second: wellFormed(document.slice(0, maxDocumentLength)),
      }))
      try {
        const relevances = await pool.run(inputs, AbortSignal.any([signal, late]))
        return relevances.map(([relevance = 0]) => relevance)
      } catch (error) {
        signal.throwIfAborted()
        if (late.aborted) throw new RerankError(`The reranking model gave no answer in ${timeoutMs} ms`, { cause: error })
        throw new RerankError('The reranking model failed', { cause: error })
      }
    },
    close: () => pool.close(),
  }
}
