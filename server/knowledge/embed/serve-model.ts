import type { FromWorker, PoolInput, ToWorker, ToWorkerText } from './worker-pool.ts'

/** A model that is loaded into this thread. */
export interface ServedModel {
  /** Returns the runs of the model that an input takes. Work can stop between two of them. */
  runs(input: PoolInput): (() => Promise<Float32Array>)[]
  /** Combines the outputs of the runs. */
  combine(outputs: readonly Float32Array[]): Float32Array<ArrayBuffer>
  close(): Promise<void>
}

/** How a member of the pool is connected to it. */
export interface PoolConnection {
  send(message: FromWorker): void
  onMessage(listener: (message: ToWorker) => void): void
  end(): void
}

/** Waits for the model, then answers inputs in the order in which they arrive. */
export async function serveModel(opening: Promise<ServedModel>, pool: PoolConnection): Promise<void> {
  const model = await opening
  let closing = false
  let last = Promise.resolve()
  pool.onMessage((message) => {
    if ('close' in message) closing = true
    last = last.then(() => ('close' in message ? end() : answer(message)))
  })
  pool.send({ ready: true })

  async function end(): Promise<void> {
    await model.close()
    pool.end()
  }

  async function answer({ id, ...input }: ToWorkerText): Promise<void> {
    try {
      const outputs: Float32Array[] = []
      for (const run of model.runs(input)) {
        if (closing) return
        outputs.push(await run())
      }
      pool.send({ id, vector: model.combine(outputs) })
    } catch (error) {
      pool.send({ id, error: error instanceof Error ? error.message : String(error) })
    }
  }
}
