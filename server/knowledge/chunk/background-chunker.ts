import { keepAlive, startBackgroundProcess } from '../../lib/background-process.ts'
import { childEntry } from '../../lib/entry.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Chunk, ChunkingSettings } from './chunk.ts'
import { chunkDocument } from './chunk-document.ts'
import type { FromChunkProcess, ToChunkProcess } from './chunk-process.ts'

/** Texts up to this many characters are chunked within about 10 ms, which is less than a round trip to a process costs. */
const maxInlineLength = 20_000

/** Chunks a document like `chunkDocument`, without blocking the calling thread: long documents are chunked in a background process. */
export async function chunkInBackground(document: ExtractedDocument, settings: ChunkingSettings, signal: AbortSignal): Promise<Chunk[]> {
  if (document.text.length < maxInlineLength) return chunkDocument(document, settings)
  signal.throwIfAborted()
  chunker ??= startChunker()
  return chunker.chunk(document, settings, signal)
}

interface Chunker {
  chunk(document: ExtractedDocument, settings: ChunkingSettings, signal: AbortSignal): Promise<Chunk[]>
}

/** The only chunking process of the program, started for the first long document. It keeps a cache of token counts. */
let chunker: Chunker | null = null

interface Waiting {
  resolve(chunks: Chunk[]): void
  reject(reason: unknown): void
}

function startChunker(): Chunker {
  const child = startBackgroundProcess(childEntry(import.meta.url, './chunk-process'))
  const waiting = new Map<number, Waiting>()
  let nextId = 0
  child.on('message', (message: FromChunkProcess) => {
    const one = waiting.get(message.id)
    if ('chunks' in message) one?.resolve(message.chunks)
    else one?.reject(message.error)
  })
  const end = (error: unknown) => {
    chunker = null
    for (const one of waiting.values()) one.reject(error)
  }
  child.once('error', end).once('close', (code, signal) => end(new Error(`The chunking process ended with ${signal ?? `code ${code}`}`)))
  keepAlive(child, false)

  return {
    async chunk(document, settings, signal) {
      const id = nextId++
      let abort = () => {}
      keepAlive(child, true)
      try {
        return await new Promise<Chunk[]>((resolve, reject) => {
          abort = () => reject(signal.reason)
          signal.addEventListener('abort', abort)
          waiting.set(id, { resolve, reject })
          child.send({ id, document, settings } satisfies ToChunkProcess, (error) => void (error && reject(error)))
        })
      } finally {
        signal.removeEventListener('abort', abort)
        waiting.delete(id)
        if (waiting.size === 0) keepAlive(child, false)
      }
    },
  }
}
