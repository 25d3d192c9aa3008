import { z } from 'zod'
import type { FolderReader } from './folder-reader.ts'
import { ModelFolderError } from './model-folder-error.ts'
import { readTokenizerConfig } from './model-tokenizer.ts'

const Config = z.looseObject({
  model_type: z.string(),
  hidden_size: z.int().positive().nullish(),
  dim: z.int().positive().nullish(),
  max_position_embeddings: z.int().positive().nullish(),
  vocab_size: z.int().positive().nullish(),
})
const SentenceConfig = z.looseObject({ max_seq_length: z.int().positive().nullish(), do_lower_case: z.boolean().nullish() })

/** Values of `model_type` whose models take the same inputs and have the same special tokens as BERT, XLM-R, MPNet or ModernBERT. */
const families = new Set(
  'bert distilbert electra albert ernie nomic_bert new deberta deberta-v2 roberta xlm-roberta camembert xlm-roberta-xl mpnet modernbert'.split(
    ' ',
  ),
)
/** Models that number the positions of tokens from 2 on. */
const positionsFromTwo = new Set(['roberta', 'xlm-roberta', 'camembert', 'mpnet', 'xlm-roberta-xl'])
const defaultMaxTokens = 512

/** The settings of an encoder, of `config.json`, `tokenizer_config.json` and `sentence_bert_config.json`. */
export interface ModelConfig {
  /** `model_type`, such as `bert`, `xlm-roberta`, `mpnet` or `modernbert`. */
  readonly family: string
  /** Null if the configuration does not say it. */
  readonly hiddenSize: number | null
  readonly vocabularySize: number | null
  /** Maximum input in tokens, including special tokens. */
  readonly maxTokens: number
  readonly lowercase: boolean
}

/** @throws ModelFolderError if a file is missing or of another form, or the family is not supported */
export async function readModelConfig(reader: FolderReader): Promise<ModelConfig> {
  const config = await reader.json('config.json', Config)
  const tokenizer = await readTokenizerConfig(reader)
  const sentence = await reader.optionalJson('sentence_bert_config.json', SentenceConfig)
  const { max_position_embeddings: positions, model_type: family } = config
  if (!families.has(family))
    throw new ModelFolderError(
      reader.folder,
      'config.json',
      `has the model_type ${family}, which is not supported. Supported: ${[...families].join(', ')}.`,
    )
  const limit = positions == null ? Infinity : positions - (positionsFromTwo.has(family) ? 2 : 0)
  // Tokenizers without a limit name a number of thirty digits.
  const wanted = sentence?.max_seq_length ?? Math.min(tokenizer.model_max_length ?? Infinity, limit)
  const maxTokens = Math.min(wanted, limit)
  return {
    family,
    hiddenSize: config.hidden_size ?? config.dim ?? null,
    vocabularySize: config.vocab_size ?? null,
    maxTokens: maxTokens > 1e6 ? defaultMaxTokens : maxTokens,
    lowercase: sentence?.do_lower_case === true,
  }
}
