import { parentPort, workerData } from 'node:worker_threads'
import type { ExtractedDocument } from '../extract/document.ts'
import type { ChunkingSettings } from './chunk.ts'
import { chunkDocument } from './chunk-document.ts'

const { document, settings } = workerData as { document: ExtractedDocument; settings: ChunkingSettings }
parentPort?.postMessage(await chunkDocument(document, settings))
