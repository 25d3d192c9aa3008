import { Tokenizer } from '@huggingface/tokenizers'
import { z } from 'zod'
import type { FolderReader } from './folder-reader.ts'
import { ModelFolderError } from './model-folder-error.ts'

/** Special tokens around a text, and around and between the two texts of a pair. Each is a list of token ids. */
export interface SpecialTokens {
  readonly before: readonly number[]
  readonly after: readonly number[]
  readonly pair: {
    readonly before: readonly number[]
    readonly between: readonly number[]
    readonly after: readonly number[]
    /** The `token_type_ids` of the second text and of the tokens after it. */
    readonly secondType: number
  }
}

export interface ModelTokenizer {
  /** Returns the token ids of a text, without special tokens. */
  encode(text: string): number[]
  readonly special: SpecialTokens
  /** The highest token id and one more. */
  readonly size: number
}

const file = 'tokenizer.json'
const TokenizerJson = z.looseObject({ model: z.looseObject({ type: z.string().optional() }) })
const SpecialToken = z.union([z.string(), z.looseObject({ content: z.string() }).transform(({ content }) => content)]).nullish()
const TokenizerConfig = z.looseObject({
  cls_token: SpecialToken,
  sep_token: SpecialToken,
  bos_token: SpecialToken,
  eos_token: SpecialToken,
  model_max_length: z.number().nullish(),
})
type TokenizerConfig = z.output<typeof TokenizerConfig>

/** Reads `tokenizer_config.json`, which can be missing. */
export async function readTokenizerConfig(reader: FolderReader): Promise<TokenizerConfig> {
  return (await reader.optionalJson('tokenizer_config.json', TokenizerConfig)) ?? {}
}

/**
 * Reads `tokenizer.json`. The special tokens are those of its post-processor; without one, those that `tokenizer_config.json`
 * names.
 * @throws ModelFolderError if the file is missing or unusable
 */
export async function readTokenizer(reader: FolderReader): Promise<ModelTokenizer> {
  const config = await readTokenizerConfig(reader)
  const json = await reader.json(file, TokenizerJson)
  try {
    const tokenizer = new Tokenizer(json, config)
    const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false }).ids
    const size = 1 + Math.max(...tokenizer.get_vocab().values())
    return { encode, special: specialTokens(tokenizer, config), size }
  } catch (cause) {
    throw new ModelFolderError(reader.folder, file, `cannot be used: ${(cause as Error).message}`, { cause })
  }
}

/** Finds the special tokens by encoding two short texts with and without them. */
function specialTokens(tokenizer: Tokenizer, config: TokenizerConfig): SpecialTokens {
  if (tokenizer.post_processor === null) return configuredTokens(tokenizer, config)
  const [first, second] = ['a', 'b']
  const bare = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false }).ids
  const single = tokenizer.encode(first).ids
  const pair = tokenizer.encode(first, { text_pair: second, return_token_type_ids: true })
  const at = positionOf(single, bare(first), 0)
  const firstAt = positionOf(pair.ids, bare(first), 0)
  const firstEnd = firstAt + bare(first).length
  const secondAt = positionOf(pair.ids, bare(second), firstEnd)
  return {
    before: single.slice(0, at),
    after: single.slice(at + bare(first).length),
    pair: {
      before: pair.ids.slice(0, firstAt),
      between: pair.ids.slice(firstEnd, secondAt),
      after: pair.ids.slice(secondAt + bare(second).length),
      secondType: pair.token_type_ids[secondAt] ?? 0,
    },
  }
}

function configuredTokens(tokenizer: Tokenizer, config: TokenizerConfig): SpecialTokens {
  const id = (token: string | null | undefined): number[] => {
    const found = token == null ? undefined : tokenizer.token_to_id(token)
    return found === undefined ? [] : [found]
  }
  const before = id(config.cls_token ?? config.bos_token)
  const after = id(config.sep_token ?? config.eos_token)
  return { before, after, pair: { before, between: after, after, secondType: 1 } }
}

function positionOf(ids: readonly number[], part: readonly number[], from: number): number {
  const at = ids.findIndex((_, start) => start >= from && part.every((id, offset) => ids[start + offset] === id))
  if (at < 0 || part.length === 0) throw new Error('Its post-processor changes the tokens of the text.')
  return at
}
