import { parentProcess } from '../../lib/background-process.ts'
import { openServedEmbedder, type EmbeddingWorkerOptions } from './served-embedder.ts'
import { serveModel } from './serve-model.ts'

/** `local-embedder.ts` starts this process with these options. */
const options = (): EmbeddingWorkerOptions => JSON.parse(process.argv[2] ?? '') as EmbeddingWorkerOptions

await serveModel(openServedEmbedder(options()), parentProcess())
