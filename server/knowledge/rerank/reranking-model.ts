import { basename, resolve } from 'node:path'
import { createHash } from 'node:crypto'
import { requireVocabulary, type EncoderModel } from '../embed/folder/embedding-model.ts'
import { readerOf } from '../embed/folder/folder-reader.ts'
import { readModelConfig } from '../embed/folder/model-config.ts'
import { ModelFolderError } from '../embed/folder/model-folder-error.ts'
import { readModelGraph, type ModelGraph } from '../embed/folder/model-graph.ts'
import { readTokenizer } from '../embed/folder/model-tokenizer.ts'

/** A cross-encoder in a folder. Plain data: workers receive it as a message. */
export interface RerankingModel extends EncoderModel {
  /** `folder@hash/precision`; the hash covers the used files. */
  readonly name: string
}

/**
 * Reads and checks the folder of a cross-encoder, without loading it.
 * @throws ModelFolderError that names the missing or unusable file
 */
export async function readRerankingModel(folder: string): Promise<RerankingModel> {
  const reader = readerOf(resolve(folder))
  const graph = await readModelGraph(reader)
  const config = await readModelConfig(reader)
  requireVocabulary(reader.folder, config, (await readTokenizer(reader)).size)
  const output = logitOf(reader.folder, graph)
  const files = reader.used()
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)
  return { folder: reader.folder, name: `${basename(reader.folder)}@${hash}/${graph.precision}`, files, graph, config, output }
}

function logitOf(folder: string, { path, outputs }: ModelGraph): { name: string } {
  const logits = outputs.find(({ name }) => name === 'logits') ?? (outputs.length === 1 ? outputs[0] : undefined)
  const found = outputs.map(({ name, dimensions }) => `${name} [${dimensions.map((size) => size ?? '?').join(', ')}]`).join(', ')
  if (logits === undefined || logits.dimensions.length > 2)
    throw new ModelFolderError(folder, path, `has no output logits, so it is no sequence classifier. Its outputs: ${found}.`)
  const labels = logits.dimensions.length === 2 ? logits.dimensions[1] : undefined
  if (typeof labels === 'number' && labels !== 1)
    throw new ModelFolderError(folder, path, `classifies into ${labels} labels. A reranker gives one relevance.`)
  return { name: logits.name }
}
