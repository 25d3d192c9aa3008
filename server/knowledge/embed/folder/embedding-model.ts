import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { readerOf, type UsedFile } from './folder-reader.ts'
import { readModelConfig, type ModelConfig } from './model-config.ts'
import { ModelFolderError } from './model-folder-error.ts'
import { readModelGraph, type ModelGraph } from './model-graph.ts'
import { readTokenizer } from './model-tokenizer.ts'
import type { Pooling } from './pooling.ts'
import { readPooling, readPrefixes, type PoolingSettings, type Prefixes } from './sentence-modules.ts'

/** Settings of the operator, which take precedence over the files. */
export interface EmbeddingModelSettings {
  /** Fewer dimensions than the model has: vectors are cut to their first ones (Matryoshka representation learning). */
  readonly dimensions?: number | undefined
  readonly queryPrefix?: string | undefined
  readonly passagePrefix?: string | undefined
}

/** An encoder in a folder, as its files describe it. */
export interface EncoderModel {
  readonly folder: string
  /** The files that were read, with their hashes. */
  readonly files: readonly UsedFile[]
  readonly graph: ModelGraph
  readonly config: ModelConfig
  readonly output: { readonly name: string }
}

/** An embedding model in a folder. Plain data: workers receive it as a message. */
export interface EmbeddingModel extends EncoderModel {
  /** `folder@hash/precision`; the hash covers the used files and the settings. */
  readonly name: string
  /** Null if the graph does it. */
  readonly pooling: Pooling | null
  /** Length of the output's vectors. */
  readonly hiddenSize: number
  /** Length of the embeddings. */
  readonly dimensions: number
  readonly prefixes: Prefixes
}

/**
 * Reads and checks the folder of an embedding model, without loading it.
 * @throws ModelFolderError that names the missing or unusable file
 */
export async function readEmbeddingModel(folder: string, settings: EmbeddingModelSettings = {}): Promise<EmbeddingModel> {
  const reader = readerOf(resolve(folder))
  const graph = await readModelGraph(reader)
  const config = await readModelConfig(reader)
  const tokenizer = await readTokenizer(reader)
  requireVocabulary(reader.folder, config, tokenizer.size)
  const pooling = await readPooling(reader)
  const prompts = await readPrefixes(reader)
  const output = outputOf(reader.folder, graph, pooling)
  const hiddenSize = hiddenSizeOf(reader.folder, graph, config, { pooling, output })
  const { dimensions = hiddenSize } = settings
  if (dimensions > hiddenSize)
    throw new Error(`The model in ${reader.folder} has ${hiddenSize} dimensions, which cannot be extended to ${dimensions}.`)
  const prefixes = { query: settings.queryPrefix ?? prompts.query, passage: settings.passagePrefix ?? prompts.passage }
  const files = reader.used()
  const hash = createHash('sha256')
    .update(JSON.stringify([files, prefixes, dimensions]))
    .digest('hex')
    .slice(0, 12)
  return {
    folder: reader.folder,
    name: `${basename(reader.folder)}@${hash}/${graph.precision}`,
    files,
    graph,
    config,
    output: { name: output.name },
    pooling: output.pooled ? null : (pooling?.pooling ?? null),
    hiddenSize,
    dimensions,
    prefixes,
  }
}

/** @throws ModelFolderError if the tokenizer belongs to another model */
export function requireVocabulary(folder: string, { vocabularySize }: ModelConfig, tokenizerSize: number): void {
  if (vocabularySize !== null && tokenizerSize > vocabularySize)
    throw new ModelFolderError(
      folder,
      'tokenizer.json',
      `has ${tokenizerSize} tokens, but the model of config.json knows ${vocabularySize}.`,
    )
}

interface Output {
  readonly name: string
  /** Whether it is the vector of a text, rather than those of its tokens. */
  readonly pooled: boolean
  /** Length of its vectors; null if the graph does not state it. */
  readonly size: number | null
}

const tokenOutputs = ['last_hidden_state', 'token_embeddings', 'output_0']
const textOutputs = ['sentence_embedding', 'embedding', 'embeddings']

/** Chooses the vectors of tokens if the pooling is known, otherwise the vector of the text. */
function outputOf(folder: string, { path, outputs }: ModelGraph, pooling: PoolingSettings | undefined): Output {
  const named = (names: readonly string[]) => outputs.find(({ name }) => names.includes(name))
  const ofTokens = named(tokenOutputs) ?? outputs.find(({ dimensions }) => dimensions.length === 3)
  const ofText = named(textOutputs)
  const chosen = ofTokens !== undefined && (pooling !== undefined || ofText === undefined) ? ofTokens : ofText
  if (chosen === undefined) {
    const found = outputs.map(({ name }) => name).join(', ')
    throw new ModelFolderError(
      folder,
      path,
      `has neither token vectors (last_hidden_state) nor a sentence_embedding. Its outputs: ${found}.`,
    )
  }
  const isPooled = chosen === ofText
  if (!isPooled && pooling === undefined)
    throw new ModelFolderError(
      folder,
      '1_Pooling/config.json',
      'is missing. It says how the vectors of tokens become the vector of a text.',
    )
  const rank = isPooled ? 2 : 3
  if (chosen.dimensions.length !== 0 && chosen.dimensions.length !== rank)
    throw new ModelFolderError(folder, path, `has an output ${chosen.name} of ${chosen.dimensions.length} dimensions instead of ${rank}.`)
  const size = chosen.dimensions.at(-1)
  return { name: chosen.name, pooled: isPooled, size: typeof size === 'number' ? size : null }
}

/** Returns the length of the output's vectors, on which all files must agree. */
function hiddenSizeOf(
  folder: string,
  { path }: ModelGraph,
  { hiddenSize }: ModelConfig,
  { pooling, output }: { pooling: PoolingSettings | undefined; output: Output },
): number {
  const stated = output.pooled ? null : (pooling?.dimensions ?? hiddenSize)
  const size = output.size ?? stated ?? hiddenSize
  if (size === null) throw new ModelFolderError(folder, 'config.json', 'has no hidden_size.')
  if (stated !== null && stated !== size)
    throw new ModelFolderError(
      folder,
      path,
      `has vectors of ${size} dimensions, but 1_Pooling/config.json or config.json states ${stated}.`,
    )
  return size
}
