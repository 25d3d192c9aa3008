import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { buildMiniLmTokenGraph, type Precision } from '../knowledge/embed/minilm-graph.ts'
import { bundledModelFolder, readModelFiles } from '../knowledge/embed/model-files.ts'
import { createOnnxGraph } from '../knowledge/embed/onnx-writer.ts'
import { readTfjsWeights } from '../knowledge/embed/tfjs-weights.ts'

/** Files by their paths: text, bytes, or an object for JSON. */
export type FolderFiles = Record<string, string | Uint8Array | object>

/** Writes the files into a new folder, which is removed after the test. */
export async function modelFolder(files: FolderFiles): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'model-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFiles(folder, files)
  return folder
}

export async function writeFiles(folder: string, files: FolderFiles): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content))
  }
}

const modules = [
  { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
  { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
  { idx: 2, name: '2', path: '2_Normalize', type: 'sentence_transformers.models.Normalize' },
]

const pooling = (dimensions: number, mode: string): object => ({
  word_embedding_dimension: dimensions,
  pooling_mode_cls_token: mode === 'cls',
  pooling_mode_mean_tokens: mode === 'mean',
  pooling_mode_max_tokens: mode === 'max',
  pooling_mode_mean_sqrt_len_tokens: mode === 'mean_sqrt_len',
  pooling_mode_lasttoken: mode === 'lasttoken',
})

/** Returns the bundled model in the form of a published one. */
export async function bundledModelFiles(precision: Precision): Promise<FolderFiles> {
  const { weights, manifest, tokenizer } = await readModelFiles(bundledModelFolder())
  return {
    'model.onnx': buildMiniLmTokenGraph(readTfjsWeights(manifest, weights), precision),
    'tokenizer.json': tokenizer,
    'config.json': { model_type: 'bert', hidden_size: 384, max_position_embeddings: 512, vocab_size: 30_522 },
    'modules.json': modules,
    '1_Pooling/config.json': pooling(384, 'mean'),
    'sentence_bert_config.json': { max_seq_length: 256, do_lower_case: false },
  }
}

export type Family = 'bert' | 'xlm-roberta' | 'mpnet' | 'modernbert'

const words = ['the', 'cat', 'dog', 'sat', 'ran', 'query', 'passage', 'a', 'b', ':']
const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('')
const inputsOf: Record<Family, readonly string[]> = {
  bert: ['input_ids', 'attention_mask', 'token_type_ids'],
  'xlm-roberta': ['input_ids', 'attention_mask'],
  mpnet: ['input_ids', 'attention_mask'],
  modernbert: ['input_ids', 'attention_mask'],
}

export const tinySize = 8

/** The vector of a token at a position in a tiny model. */
export function tinyVector(id: number, position: number, type = 0): number[] {
  return Array.from({ length: tinySize }, (_, at) =>
    Math.fround(Math.sin(id * 7.1 + at * 1.3) + Math.cos(position * 3.7 + at) / 4 + (type * (at + 1)) / 8),
  )
}

export interface TinyOptions {
  readonly pooling?: string
  /** Maximum tokens of an input. */
  readonly maxTokens?: number
  /** Names of the inputs, instead of those of the family. */
  readonly inputs?: readonly string[]
  /** Output of a sequence classifier with this number of labels, instead of token vectors. */
  readonly labels?: number
  /** Length of the vectors, other than the files say. */
  readonly size?: number
}

/**
 * Returns a model without layers, with the inputs and the tokenizer of a family: the vectors of its tokens are `tinyVector`. A
 * classifier gives the sum of the first numbers of all tokens.
 */
export function tinyModelFiles(
  family: Family,
  { pooling: mode = 'mean', maxTokens = 16, inputs, labels, size = tinySize }: TinyOptions = {},
): FolderFiles {
  const { tokenizer, vocabulary } = tokenizerOf(family)
  return {
    'model.onnx': tinyGraph(vocabulary, inputs ?? inputsOf[family], { labels, size }),
    'tokenizer.json': tokenizer,
    'config.json': { model_type: family, hidden_size: tinySize, max_position_embeddings: 64, vocab_size: vocabulary },
    'sentence_bert_config.json': { max_seq_length: maxTokens },
    ...(labels === undefined && { 'modules.json': modules, '1_Pooling/config.json': pooling(tinySize, mode) }),
  }
}

function tinyGraph(
  vocabulary: number,
  inputs: readonly string[],
  { labels, size }: { labels: number | undefined; size: number },
): Uint8Array {
  const graph = createOnnxGraph()
  const [ids = '', , types] = inputs.map((name) => graph.input(name, 'int64', [1, 'length']))
  const table = (rows: number, row: (index: number) => number[]): string =>
    graph.constant('float32', [rows, size], Float32Array.from(Array.from({ length: rows }, (_, at) => row(at).slice(0, size)).flat()))
  const int64s = (...values: number[]): string => graph.constant('int64', [values.length], BigInt64Array.from(values, BigInt))
  const gather = (from: string, at: string): string => graph.node({ operator: 'Gather', inputs: [from, at] })
  const sum = (a: string, b: string): string => graph.node({ operator: 'Add', inputs: [a, b] })
  const zero = tinyVector(0, 0)
  const word = gather(
    table(vocabulary, (id) => tinyVector(id, 0)),
    ids,
  )
  const length = gather(graph.node({ operator: 'Shape', inputs: [ids] }), int64s(1))
  const positions = table(64, (at) => tinyVector(0, at).map((value, index) => value - (zero[index] ?? 0)))
  const placed = sum(word, graph.node({ operator: 'Slice', inputs: [positions, int64s(0), length, int64s(0)] }))
  const typed =
    types === undefined
      ? placed
      : sum(
          placed,
          gather(
            table(2, (type) => tinyVector(0, 0, type).map((value, index) => value - (zero[index] ?? 0))),
            types,
          ),
        )
  if (labels === undefined) graph.output('last_hidden_state', typed, 'float32', [1, 'length', 'size'])
  else {
    const total = graph.node({ operator: 'ReduceSum', inputs: [typed, int64s(1)], attributes: { keepdims: { int: 0 } } })
    const logits = graph.node({ operator: 'Slice', inputs: [total, int64s(0), int64s(labels), int64s(1)] })
    graph.output('logits', logits, 'float32', [1, labels])
  }
  return graph.encode()
}

function template(first: string, last: string, between: readonly string[], ids: Record<string, number>): object {
  const special = (token: string, type: number): object => ({ SpecialToken: { id: token, type_id: type } })
  const text = (id: string, type: number): object => ({ Sequence: { id, type_id: type } })
  const second = between.length > 1 ? 0 : 1
  return {
    type: 'TemplateProcessing',
    single: [special(first, 0), text('A', 0), special(last, 0)],
    pair: [special(first, 0), text('A', 0), ...between.map((token) => special(token, 0)), text('B', second), special(last, second)],
    special_tokens: Object.fromEntries([first, last].map((token) => [token, { id: token, ids: [ids[token]], tokens: [token] }])),
  }
}

const added = (tokens: readonly string[]): object[] =>
  tokens.map((content, id) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }))

/** Returns a tokenizer of the kind of the family, with a few words. */
function tokenizerOf(family: Family): { tokenizer: object; vocabulary: number } {
  const special = family === 'bert' || family === 'modernbert' ? ['[PAD]', '[UNK]', '[CLS]', '[SEP]'] : ['<s>', '<pad>', '</s>', '<unk>']
  const ids = Object.fromEntries(special.map((token, id) => [token, id]))
  const common = { version: '1.0', truncation: null, padding: null, added_tokens: added(special) }
  const isBert = family === 'bert'
  if (isBert || family === 'mpnet') {
    const vocab = Object.fromEntries([...special, ...words, '##s', '##ly'].map((token, id) => [token, id]))
    return {
      vocabulary: Object.keys(vocab).length,
      tokenizer: {
        ...common,
        normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
        pre_tokenizer: { type: 'BertPreTokenizer' },
        post_processor: isBert
          ? template('[CLS]', '[SEP]', ['[SEP]'], ids)
          : { type: 'RobertaProcessing', sep: ['</s>', 2], cls: ['<s>', 0], trim_offsets: true, add_prefix_space: false },
        decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
        model: {
          type: 'WordPiece',
          unk_token: isBert ? '[UNK]' : '<unk>',
          continuing_subword_prefix: '##',
          max_input_chars_per_word: 100,
          vocab,
        },
      },
    }
  }
  if (family === 'xlm-roberta') {
    const vocab = [...special, '▁', ...words.map((word) => `▁${word}`), ...alphabet].map((token, at) => [token, -at / 10])
    return {
      vocabulary: vocab.length,
      tokenizer: {
        ...common,
        normalizer: { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' },
        pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
        post_processor: template('<s>', '</s>', ['</s>', '</s>'], ids),
        decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
        model: { type: 'Unigram', unk_id: 3, vocab, byte_fallback: false },
      },
    }
  }
  const letters = ['Ġ', ...alphabet, ':']
  const merges = ['t h', 'th e', 'c a', 'ca t', 'd o', 'do g', 'Ġ cat', 'Ġ dog']
  const vocab = Object.fromEntries(
    [...special, ...letters, ...merges.map((merge) => merge.replace(' ', ''))].map((token, id) => [token, id]),
  )
  return {
    vocabulary: Object.keys(vocab).length,
    tokenizer: {
      ...common,
      normalizer: { type: 'NFC' },
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
      post_processor: template('[CLS]', '[SEP]', ['[SEP]'], ids),
      decoder: { type: 'ByteLevel' },
      model: { type: 'BPE', unk_token: '[UNK]', fuse_unk: false, byte_fallback: false, vocab, merges },
    },
  }
}
