import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { entryPoint } from '../../lib/entry.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Chunk, ChunkingSettings } from './chunk.ts'
import { chunkDocument } from './chunk-document.ts'

/** Characters that are chunked within some 20 ms; starting a thread costs more than that. */
const longText = 50_000

/** `chunkDocument` that never holds up the thread it is called on: a long document is chunked in one of its own. */
export async function chunkAside(document: ExtractedDocument, settings: ChunkingSettings, signal: AbortSignal): Promise<Chunk[]> {
  if (document.text.length < longText) return chunkDocument(document, settings)
  const thread = new Worker(entryPoint(import.meta.url, './chunk-worker'), { workerData: { document, settings } })
  try {
    const [chunks] = (await once(thread, 'message', { signal })) as [Chunk[]]
    return chunks
  } finally {
    await thread.terminate()
  }
}
