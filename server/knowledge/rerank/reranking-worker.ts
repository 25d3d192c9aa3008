import { workerData } from 'node:worker_threads'
import { serveModel } from '../embed/serve-model.ts'
import { threadConnection } from '../embed/thread-connection.ts'
import { openCrossEncoder } from './cross-encoder.ts'
import type { RerankingModel } from './reranking-model.ts'

/** `folder.ts` starts this thread with this model. */
const model = (): RerankingModel => workerData as RerankingModel

await serveModel(openCrossEncoder(model()), threadConnection())
