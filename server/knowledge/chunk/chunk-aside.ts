import { Worker } from 'node:worker_threads'
import { entryPoint } from '../../lib/entry.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Chunk, ChunkingSettings } from './chunk.ts'
import { chunkDocument } from './chunk-document.ts'
import type { FromChunkThread, ToChunkThread } from './chunk-worker.ts'

/** Texts up to this many characters are chunked within about 10 ms, which is less than a round trip to a thread costs. */
const maxInlineLength = 20_000

/** Chunks a document like `chunkDocument`, without blocking the calling thread: long documents are chunked in a worker thread. */
export async function chunkAside(document: ExtractedDocument, settings: ChunkingSettings, signal: AbortSignal): Promise<Chunk[]> {
  if (document.text.length < maxInlineLength) return chunkDocument(document, settings)
  signal.throwIfAborted()
  thread ??= startThread()
  return thread.chunk(document, settings, signal)
}

interface ChunkThread {
  chunk(document: ExtractedDocument, settings: ChunkingSettings, signal: AbortSignal): Promise<Chunk[]>
}

/** The only chunking thread of the process, started for the first long document. It keeps a cache of token counts. */
let thread: ChunkThread | null = null

interface Waiting {
  resolve(chunks: Chunk[]): void
  reject(reason: unknown): void
}

function startThread(): ChunkThread {
  const worker = new Worker(entryPoint(import.meta.url, './chunk-worker'))
  const waiting = new Map<number, Waiting>()
  let nextId = 0
  worker.on('message', (message: FromChunkThread) => {
    const one = waiting.get(message.id)
    if ('chunks' in message) one?.resolve(message.chunks)
    else one?.reject(message.error)
  })
  const end = (error: unknown) => {
    thread = null
    for (const one of waiting.values()) one.reject(error)
  }
  worker.on('error', end).on('exit', (code) => end(new Error(`The chunking thread ended with code ${code}`)))
  worker.unref()

  return {
    async chunk(document, settings, signal) {
      const id = nextId++
      let abort = () => {}
      worker.ref()
      try {
        return await new Promise<Chunk[]>((resolve, reject) => {
          abort = () => reject(signal.reason)
          signal.addEventListener('abort', abort)
          waiting.set(id, { resolve, reject })
          worker.postMessage({ id, document, settings } satisfies ToChunkThread)
        })
      } finally {
        signal.removeEventListener('abort', abort)
        waiting.delete(id)
        if (waiting.size === 0) worker.unref()
      }
    },
  }
}
