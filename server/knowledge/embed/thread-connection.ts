import { parentPort } from 'node:worker_threads'
import type { PoolConnection } from './serve-model.ts'

/** Connects a thread to the pool that started it. */
export const threadConnection = (): PoolConnection => ({
  send: (message) => parentPort?.postMessage(message, 'vector' in message ? [message.vector.buffer] : []),
  onMessage: (listener) => void parentPort?.on('message', listener),
  end: () => parentPort?.close(),
})
