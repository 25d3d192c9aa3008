import { parentProcess } from '../../lib/background-process.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Chunk, ChunkingSettings } from './chunk.ts'
import { chunkDocument } from './chunk-document.ts'

export interface ToChunkProcess {
  readonly id: number
  readonly document: ExtractedDocument
  readonly settings: ChunkingSettings
}

export type FromChunkProcess = { readonly id: number } & ({ readonly chunks: Chunk[] } | { readonly error: unknown })

const parent = parentProcess<ToChunkProcess, FromChunkProcess>()
parent.onMessage(({ id, document, settings }) => {
  chunkDocument(document, settings).then(
    (chunks) => parent.send({ id, chunks }),
    (error: unknown) => parent.send({ id, error }),
  )
})
