import { type MiniLm, openMiniLm } from './minilm.ts'
import type { Precision } from './minilm-graph.ts'
import { windowMean } from './vectors.ts'
import type { FromWorker, ToWorker, ToWorkerText } from './worker-pool.ts'

export interface ModelOptions {
  readonly modelFolder: string
  readonly precision: Precision
}

/** How a member of the pool is connected to it. */
export interface PoolConnection {
  send(message: FromWorker): void
  onMessage(listener: (message: ToWorker) => void): void
  end(): void
}

/** Loads the model, then embeds texts in the order in which they arrive. */
export async function serveModel({ modelFolder, precision }: ModelOptions, pool: PoolConnection): Promise<void> {
  const model = await openMiniLm(modelFolder, precision)
  let closing = false
  let last = Promise.resolve()
  pool.onMessage((message) => {
    if ('close' in message) closing = true
    last = last.then(() => ('close' in message ? end(model) : answer(model, message)))
  })
  pool.send({ ready: true })

  async function end(loaded: MiniLm): Promise<void> {
    await loaded.close()
    pool.end()
  }

  async function answer(loaded: MiniLm, { id, text }: ToWorkerText): Promise<void> {
    try {
      const vectors: Float32Array[] = []
      for (const window of loaded.windows(text)) {
        if (closing) return
        vectors.push(await loaded.embedWindow(window))
      }
      pool.send({ id, vector: windowMean(vectors) })
    } catch (error) {
      pool.send({ id, error: error instanceof Error ? error.message : String(error) })
    }
  }
}
