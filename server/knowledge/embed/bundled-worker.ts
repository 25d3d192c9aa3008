import { parentPort, workerData } from 'node:worker_threads'
import { giveWay } from '../../lib/give-way.ts'
import { type MiniLm, openMiniLm } from './minilm.ts'
import type { Precision } from './minilm-graph.ts'
import { windowMean } from './vectors.ts'
import type { FromWorker, ToWorker, ToWorkerText } from './worker-pool.ts'

export interface BundledWorkerData {
  readonly modelFolder: string
  readonly precision: Precision
  /** Runs at a lower priority than other threads: requests and queries go before passages. */
  readonly yielding: boolean
}

/** Runs a thread with a model of its own. Texts are embedded in order of arrival. */
async function serve({ modelFolder, precision, yielding }: BundledWorkerData): Promise<void> {
  if (yielding) giveWay()
  const model = await openMiniLm(modelFolder, precision)
  let closing = false
  let last = Promise.resolve()
  parentPort?.on('message', (message: ToWorker) => {
    if ('close' in message) closing = true
    last = last.then(() => ('close' in message ? end(model) : answer(model, message, () => closing)))
  })
  send({ ready: true })
}

async function answer(model: MiniLm, { id, text }: ToWorkerText, closing: () => boolean): Promise<void> {
  try {
    const vectors: Float32Array[] = []
    for (const window of model.windows(text)) {
      if (closing()) return
      vectors.push(await model.embedWindow(window))
    }
    const vector = windowMean(vectors)
    send({ id, vector }, [vector.buffer])
  } catch (error) {
    send({ id, error: error instanceof Error ? error.message : String(error) })
  }
}

async function end(model: MiniLm): Promise<void> {
  await model.close()
  parentPort?.close()
}

function send(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

/** The pool always starts this thread with this data. */
function startData(): BundledWorkerData {
  return workerData as BundledWorkerData
}

await serve(startData())
