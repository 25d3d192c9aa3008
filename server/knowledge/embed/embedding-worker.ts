import { workerData } from 'node:worker_threads'
import { openServedEmbedder, type EmbeddingWorkerOptions } from './served-embedder.ts'
import { serveModel } from './serve-model.ts'
import { threadConnection } from './thread-connection.ts'

/** `local-embedder.ts` starts this thread with these options. */
const options = (): EmbeddingWorkerOptions => workerData as EmbeddingWorkerOptions

await serveModel(openServedEmbedder(options()), threadConnection())
