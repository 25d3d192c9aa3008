import { keepAlive, startBackgroundProcess } from '../../lib/background-process.ts'
import { childEntry } from '../../lib/entry.ts'
import { SourceError } from '../../lib/errors.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Chunk, ChunkingSettings } from './chunk.ts'
import { chunkDocument } from './chunk-document.ts'
import type { FromChunkProcess, ToChunkProcess } from './chunk-process.ts'

/** Texts up to this many characters are chunked within about 10 ms, which is less than a round trip to a process costs. */
const maxInlineLength = 20_000

/** Chunks of a document. Embedding so many takes the bundled model an hour on two cores. */
const maxChunksOfDocument = 500_000

/**
 * Chunks a document like `chunkDocument`, without blocking the calling thread: long documents are chunked in a background process.
 * @throws SourceError `too_large` with more than `maxChunks`
 */
export async function chunkInBackground(
  document: ExtractedDocument,
  settings: ChunkingSettings,
  signal: AbortSignal,
  maxChunks: number = maxChunksOfDocument,
): Promise<Chunk[]> {
  if (document.text.length < maxInlineLength) return chunkDocument(document, settings)
  signal.throwIfAborted()
  chunker ??= startChunker()
  return chunker.chunk({ document, settings, maxChunks }, signal)
}

interface Chunker {
  chunk(request: Omit<ToChunkProcess, 'id'>, signal: AbortSignal): Promise<Chunk[]>
}

/** The only chunking process of the program, started for the first long document. It keeps a cache of token counts. */
let chunker: Chunker | null = null

interface Waiting {
  readonly maxChunks: number
  /** The chunks that have arrived. */
  readonly chunks: Chunk[]
  resolve(chunks: Chunk[]): void
  reject(reason: unknown): void
}

function tooManyChunks(count: number, max: number): SourceError {
  const [has, most] = [count, max].map((number) => number.toLocaleString('en'))
  return new SourceError('too_large', `The document has ${has} chunks, and the maximum is ${most}. Split it, or use larger chunks.`)
}

function startChunker(): Chunker {
  const child = startBackgroundProcess(childEntry(import.meta.url, './chunk-process'))
  const waiting = new Map<number, Waiting>()
  let nextId = 0
  child.on('message', (message: FromChunkProcess) => {
    const one = waiting.get(message.id)
    if (one === undefined) return
    if ('chunks' in message) one.chunks.push(...message.chunks)
    else if ('error' in message) one.reject(message.error)
    else if (message.total > one.maxChunks) one.reject(tooManyChunks(message.total, one.maxChunks))
    else one.resolve(one.chunks)
  })
  const end = (error: unknown) => {
    chunker = null
    for (const one of waiting.values()) one.reject(error)
  }
  child.once('error', end).once('close', (code, signal) => end(new Error(`The chunking process ended with ${signal ?? `code ${code}`}`)))
  keepAlive(child, false)

  return {
    async chunk(request, signal) {
      const id = nextId++
      let abort = () => {}
      keepAlive(child, true)
      try {
        return await new Promise<Chunk[]>((resolve, reject) => {
          abort = () => reject(signal.reason)
          signal.addEventListener('abort', abort)
          waiting.set(id, { maxChunks: request.maxChunks, chunks: [], resolve, reject })
          child.send({ id, ...request } satisfies ToChunkProcess, (error) => void (error && reject(error)))
        })
      } finally {
        signal.removeEventListener('abort', abort)
        waiting.delete(id)
        if (waiting.size === 0) keepAlive(child, false)
      }
    },
  }
}
