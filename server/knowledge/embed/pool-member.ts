import { Worker } from 'node:worker_threads'
import { startBackgroundProcess } from '../../lib/background-process.ts'
import type { FromWorker, ToWorker } from './worker-pool.ts'

/** A thread or a process that embeds texts, as its pool sees it. */
export interface PoolMember {
  send(message: ToWorker): void
  onMessage(listener: (message: FromWorker) => void): void
  /** Calls the listener once, with the reason, when the member has ended. */
  onEnd(listener: (cause: unknown) => void): void
}

/** Starts a thread of this process. */
export function startThread(entry: URL, workerData: unknown): PoolMember {
  const worker = new Worker(entry, { workerData })
  let failure: unknown
  worker.on('error', (error) => (failure = error))
  return {
    send: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onEnd: (listener) => void worker.once('exit', (code) => listener(failure ?? new Error(`The thread ended with code ${code}`))),
  }
}

/** Starts a process of low priority. */
export function startProcess(args: readonly string[]): PoolMember {
  const child = startBackgroundProcess(args)
  let failure: unknown
  child.on('error', (error) => (failure = error))
  return {
    send(message) {
      // A process that has ended reports that by `close`, and the pool gives its texts to another one.
      if (child.connected) child.send(message, () => undefined)
    },
    onMessage: (listener) => void child.on('message', (message: FromWorker) => listener(own(message))),
    onEnd: (listener) =>
      void child.once('close', (code, signal) => listener(failure ?? new Error(`The process ended with ${signal ?? `code ${code}`}`))),
  }
}

/** Copies the vector, which otherwise is a view of all bytes that came with it. */
function own(message: FromWorker): FromWorker {
  return 'vector' in message ? { ...message, vector: new Float32Array(message.vector) } : message
}
