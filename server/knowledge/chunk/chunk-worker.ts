import { parentPort } from 'node:worker_threads'
import { giveWay } from '../../lib/give-way.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Chunk, ChunkingSettings } from './chunk.ts'
import { chunkDocument } from './chunk-document.ts'

export interface ToChunkThread {
  readonly id: number
  readonly document: ExtractedDocument
  readonly settings: ChunkingSettings
}

export type FromChunkThread = { readonly id: number } & ({ readonly chunks: Chunk[] } | { readonly error: unknown })

giveWay()
parentPort?.on('message', ({ id, document, settings }: ToChunkThread) => {
  const send = (message: FromChunkThread) => parentPort?.postMessage(message)
  chunkDocument(document, settings).then(
    (chunks) => send({ id, chunks }),
    (error: unknown) => send({ id, error }),
  )
})
