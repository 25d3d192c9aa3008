import { parentPort, workerData } from 'node:worker_threads'
import { serveModel, type ModelOptions } from './serve-model.ts'

/** `bundled.ts` starts this thread with these options. */
const options = (): ModelOptions => workerData as ModelOptions

await serveModel(options(), {
  send: (message) => parentPort?.postMessage(message, 'vector' in message ? [message.vector.buffer] : []),
  onMessage: (listener) => void parentPort?.on('message', listener),
  end: () => parentPort?.close(),
})
