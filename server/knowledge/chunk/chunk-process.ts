import { parentProcess } from '../../lib/background-process.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Chunk, ChunkingSettings } from './chunk.ts'
import { chunkDocument } from './chunk-document.ts'

export interface ToChunkProcess {
  readonly id: number
  readonly document: ExtractedDocument
  readonly settings: ChunkingSettings
  readonly maxChunks: number
}

/** The chunks come in batches; `total` is the last message. With more than `maxChunks`, it is the only one. */
export type FromChunkProcess = { readonly id: number } & (
  | { readonly chunks: readonly Chunk[] }
  | { readonly total: number }
  | { readonly error: unknown }
)

/** Chunks per message. The program reads a message of 200,000 chunks in 500 ms, in which it answers no request. */
const batchSize = 1_000

const parent = parentProcess<ToChunkProcess, FromChunkProcess>()
parent.onMessage((request) => {
  chunkAndSend(request).catch((error: unknown) => parent.send({ id: request.id, error }))
})

async function chunkAndSend({ id, document, settings, maxChunks }: ToChunkProcess): Promise<void> {
  const chunks = await chunkDocument(document, settings)
  const sent = chunks.length > maxChunks ? 0 : chunks.length
  for (let from = 0; from < sent; from += batchSize) parent.send({ id, chunks: chunks.slice(from, from + batchSize) })
  parent.send({ id, total: chunks.length })
}
