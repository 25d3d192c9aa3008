import { z } from 'zod'
import type { FolderReader } from './folder-reader.ts'
import { ModelFolderError } from './model-folder-error.ts'
import { poolings, type Pooling } from './pooling.ts'

const Modules = z.array(z.looseObject({ path: z.string(), type: z.string() }))
const PoolingConfig = z.looseObject({
  word_embedding_dimension: z.int().positive().nullish(),
  embedding_dimension: z.int().positive().nullish(),
  pooling_mode: z.union([z.string(), z.array(z.string())]).nullish(),
  include_prompt: z.boolean().nullish(),
})
const PromptConfig = z.looseObject({
  prompts: z.record(z.string(), z.string().nullable()).nullish(),
  default_prompt_name: z.string().nullish(),
})

const flags: Readonly<Record<string, Pooling>> = {
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_cls_token: 'cls',
  pooling_mode_max_tokens: 'max',
  pooling_mode_lasttoken: 'lasttoken',
  pooling_mode_mean_sqrt_len_tokens: 'mean_sqrt_len_tokens',
}

export interface PoolingSettings {
  readonly pooling: Pooling
  /** Length of a token's vector; null if it is not stated. */
  readonly dimensions: number | null
}

/**
 * Reads `modules.json` and the pooling. Returns undefined if the folder has neither.
 * @throws ModelFolderError for a module that is not supported, such as a dense layer
 */
export async function readPooling(reader: FolderReader): Promise<PoolingSettings | undefined> {
  const { folder } = reader
  const modules = await reader.optionalJson('modules.json', Modules)
  let path = '1_Pooling'
  for (const { path: at, type } of modules ?? []) {
    const kind = type.split('.').at(-1)
    if (kind === 'Pooling') path = at
    else if (kind !== 'Transformer' && kind !== 'Normalize')
      throw new ModelFolderError(
        folder,
        'modules.json',
        `contains a module ${kind} (${at}). Only Transformer, Pooling and Normalize are supported.`,
      )
  }
  const file = `${path}/config.json`
  if (path.startsWith('/') || path.split('/').includes('..'))
    throw new ModelFolderError(folder, 'modules.json', `names the path ${path} outside of the folder.`)
  const hasPooling = modules?.some(({ type }) => type.endsWith('.Pooling')) ?? false
  const config = hasPooling ? await reader.json(file, PoolingConfig) : await reader.optionalJson(file, PoolingConfig)
  if (config === undefined) return undefined
  if (config.include_prompt === false) throw new ModelFolderError(folder, file, 'excludes the prompt from pooling, which is not supported.')
  const named = config.pooling_mode == null ? [] : [config.pooling_mode].flat()
  const flagged = Object.entries(config).flatMap(([name, value]) =>
    name.startsWith('pooling_mode_') && value === true ? [flags[name] ?? name] : [],
  )
  const [mode, ...more] = named.length > 0 ? named : flagged
  const pooling = poolings.find((each) => each === mode)
  if (pooling === undefined || more.length > 0) {
    const found = mode === undefined ? 'names no pooling' : `has the pooling ${[mode, ...more].join(' + ')}`
    throw new ModelFolderError(folder, file, `${found}. Supported: one of ${poolings.join(', ')}.`)
  }
  return { pooling, dimensions: config.word_embedding_dimension ?? config.embedding_dimension ?? null }
}

export interface Prefixes {
  readonly query: string
  readonly passage: string
}

/** Reads the prefixes of queries and passages from the prompts in `config_sentence_transformers.json`. */
export async function readPrefixes(reader: FolderReader): Promise<Prefixes> {
  const config = await reader.optionalJson('config_sentence_transformers.json', PromptConfig)
  const prompts = config?.prompts ?? {}
  const name = config?.default_prompt_name
  const usual = name == null ? '' : prompts[name]
  if (usual === undefined)
    throw new ModelFolderError(reader.folder, 'config_sentence_transformers.json', `has no prompt with its default_prompt_name ${name}.`)
  return { query: prompts['query'] ?? usual ?? '', passage: prompts['passage'] ?? prompts['document'] ?? usual ?? '' }
}
