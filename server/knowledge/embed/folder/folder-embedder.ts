import { stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Embedder } from '../embedder.ts'
import { defaultProcesses, localEmbedder } from '../local-embedder.ts'
import { readEmbeddingModel, type EmbeddingModelSettings, type EncoderModel } from './embedding-model.ts'

export interface FolderEmbedderOptions extends EmbeddingModelSettings {
  readonly folder: string
  /** Maximum processes for passages; see `maxWorkers` for the default. */
  readonly processes?: number
  readonly log?: Pick<Logger, 'warn'>
}

/**
 * Opens an embedding model from a folder with an ONNX file, `tokenizer.json` and the files of sentence-transformers. Resolves
 * when it can embed queries.
 * @throws ModelFolderError that names the missing or unusable file
 */
export async function openFolderEmbedder({ folder, processes, log, ...settings }: FolderEmbedderOptions): Promise<Embedder> {
  const model = await readEmbeddingModel(folder, settings)
  const embedder = localEmbedder({
    model: model.name,
    dimensions: model.dimensions,
    // `profiledEmbedder` measures it.
    competence: () => 1,
    worker: (purpose) => ({ kind: 'folder', model, purpose }),
    processes: processes ?? (await maxWorkers(model)),
    log,
  })
  await embedder.load?.()
  return embedder
}

/** Returns one per core, up to 8, but no more than fit into half of the memory with twice the size of the model's files each. */
export async function maxWorkers({ folder, files }: EncoderModel): Promise<number> {
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(join(folder, path))).size))
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  const fitting = Math.floor(memory / 2 / (2 * sizes.reduce((sum, size) => sum + size, 0)))
  return Math.max(1, Math.min(defaultProcesses(), fitting))
}
