import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  bundledModelFiles,
  modelFolder,
  tinyModelFiles,
  tinySize,
  tinyVector,
  writeFiles,
  type Family,
  type TinyOptions,
} from '../../../testing/model-folders.ts'
import { openBundledEmbedder } from '../bundled.ts'
import { floatToHalf, halfToFloat } from '../half-precision.ts'
import { openMiniLm } from '../minilm.ts'
import { bundledModelFolder } from '../model-files.ts'
import type { Embedder } from '../embedder.ts'
import { createOnnxGraph } from '../onnx-writer.ts'
import { cosine, windowMean } from '../vectors.ts'
import { readEmbeddingModel, type EmbeddingModelSettings } from './embedding-model.ts'
import { openFolderEmbedder } from './folder-embedder.ts'

async function open(folder: string, settings: EmbeddingModelSettings = {}): Promise<Embedder> {
  const embedder = await openFolderEmbedder({ folder, processes: 1, ...settings })
  onTestFinished(() => embedder.close())
  return embedder
}

const openTiny = async (family: Family, options: TinyOptions = {}, settings: EmbeddingModelSettings = {}): Promise<Embedder> =>
  open(await modelFolder(tinyModelFiles(family, options)), settings)

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** The vectors of the tokens in a tiny model. */
const tokensOf = (ids: readonly number[]): number[][] => ids.map((id, position) => tinyVector(id, position))
const columns = (tokens: readonly number[][]): number[][] =>
  Array.from({ length: tinySize }, (_, at) => tokens.map((token) => token[at] ?? 0))
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** The largest difference of two numbers at the same position; infinite if the lengths differ. */
function difference(vector: ArrayLike<number> | undefined, expected: readonly number[]): number {
  if (vector?.length !== expected.length) return Infinity
  return Math.max(...expected.map((value, at) => Math.abs(value - (vector[at] ?? Number.NaN))))
}

describe('the bundled model in a folder', () => {
  const texts = ['How do I reset my password?', 'Refunds are paid within five working days. '.repeat(20), 'naïve 漢字 😀']

  /** The vectors of the reference implementation in full precision. */
  async function reference(): Promise<Float32Array[]> {
    const model = await openMiniLm(bundledModelFolder(), 'fp32')
    onTestFinished(() => model.close())
    return Promise.all(texts.map(async (text) => windowMean(await Promise.all(model.windows(text).map((ids) => model.embedWindow(ids))))))
  }

  test('in full precision has the vectors of the reference implementation', async () => {
    const embedder = await open(await modelFolder(await bundledModelFiles('fp32')))
    expect(embedder.model).toMatch(/\/fp32$/)
    const vectors = await embedder.embed(texts, 'query')
    for (const [at, expected] of (await reference()).entries()) expect(difference(vectors[at], [...expected])).toBeLessThan(1e-4)
  })

  test('in half precision has nearly the same vectors', async () => {
    const embedder = await open(await modelFolder(await bundledModelFiles('fp16')))
    expect(embedder.model).toMatch(/\/fp16$/)
    const vectors = await embedder.embed(texts, 'query')
    for (const [at, expected] of (await reference()).entries())
      expect(cosine(vectors[at] ?? new Float32Array(), expected)).toBeGreaterThan(0.999)
  })
})

test('half-precision numbers are the nearest ones', () => {
  for (const value of [0, 1, -2, 65_504, 2 ** -24, 0.333251953125]) expect(halfToFloat(floatToHalf(value))).toBe(value)
  expect([floatToHalf(0.33325), floatToHalf(2047.9), floatToHalf(1e9), floatToHalf(-1e-9)]).toEqual([0x3555, 0x6800, 0x7bff, 0x8000])
})

test('the bundled model in a folder has the same vectors', async () => {
  const texts = ['How do I reset my password?', 'Refunds take five days. '.repeat(120), '', '[CLS] naïve 漢字 😀']
  const bundled = await openBundledEmbedder({ processes: 1 })
  onTestFinished(() => bundled.close())
  const embedder = await open(await modelFolder(await bundledModelFiles('int8')))
  expect(embedder.model).toMatch(/^model-\w+@[0-9a-f]{12}\/int8$/)
  const expected = await bundled.embed(texts, 'passage')
  for (const purpose of ['query', 'passage'] as const) {
    const vectors = await embedder.embed(texts, purpose)
    for (const [at, vector] of expected.entries()) expect(difference(vectors[at], [...vector])).toBeLessThan(1e-5)
  }
})

describe('families', () => {
  test.each([
    ['bert', 'the cats sat', [2, 4, 5, 14, 7, 3]],
    ['xlm-roberta', 'the cat', [0, 5, 6, 2]],
    ['mpnet', 'The dog ran', [0, 4, 6, 8, 2]],
    ['modernbert', 'the dog', [2, 33, 39, 3]],
  ] as const)('%s: its tokenizer, special tokens and inputs', async (family, text, ids) => {
    const [vector] = await (await openTiny(family)).embed([text], 'query')
    expect(difference(vector, unit(columns(tokensOf(ids)).map((column) => total(column) / ids.length)))).toBeLessThan(1e-5)
  })
})

describe('pooling', () => {
  const tokens = tokensOf([2, 4, 5, 3])
  test.each([
    ['mean', columns(tokens).map(total)],
    ['cls', tokens[0] ?? []],
    ['lasttoken', tokens.at(-1) ?? []],
    ['max', columns(tokens).map((column) => Math.max(...column))],
    ['mean_sqrt_len', columns(tokens).map(total)],
  ])('%s', async (pooling, expected) => {
    const [vector] = await (await openTiny('bert', { pooling })).embed(['the cat'], 'query')
    expect(difference(vector, unit(expected))).toBeLessThan(1e-5)
  })

  test('newer files name it in pooling_mode', async () => {
    const files = { ...tinyModelFiles('bert'), '1_Pooling/config.json': { embedding_dimension: tinySize, pooling_mode: 'cls' } }
    expect(await readEmbeddingModel(await modelFolder(files))).toMatchObject({ pooling: 'cls' })
  })
})

describe('settings', () => {
  test('fewer dimensions are the first ones, of unit length', async () => {
    const full = await openTiny('bert')
    const few = await openTiny('bert', {}, { dimensions: 3 })
    expect(few.dimensions).toBe(3)
    const [[whole], [cut]] = [await full.embed(['the cat'], 'query'), await few.embed(['the cat'], 'query')]
    expect(difference(cut, unit([...(whole ?? [])].slice(0, 3)))).toBeLessThan(1e-5)
    await expect(openTiny('bert', {}, { dimensions: 9 })).rejects.toThrow('has 8 dimensions, which cannot be extended to 9')
  })

  test('prefixes come from the prompts, or from the settings', async () => {
    const prompts = { prompts: { query: 'query: ', document: 'passage: ' } }
    const folder = await modelFolder({ ...tinyModelFiles('bert'), 'config_sentence_transformers.json': prompts })
    const [prompted, plain] = [await open(folder), await openTiny('bert')]
    expect(await prompted.embed(['the cat'], 'query')).toEqual(await plain.embed(['query: the cat'], 'query'))
    expect(await prompted.embed(['the cat'], 'passage')).toEqual(await plain.embed(['passage: the cat'], 'passage'))
    const set = await open(folder, { queryPrefix: 'a ' })
    expect(await set.embed(['the cat'], 'query')).toEqual(await plain.embed(['a the cat'], 'query'))
    expect(await set.embed(['the cat'], 'passage')).toEqual(await plain.embed(['passage: the cat'], 'passage'))
  })

  test('the default prompt applies to both', async () => {
    const prompts = { prompts: { all: 'a ' }, default_prompt_name: 'all' }
    const folder = await modelFolder({ ...tinyModelFiles('bert'), 'config_sentence_transformers.json': prompts })
    expect(await readEmbeddingModel(folder)).toMatchObject({ prefixes: { query: 'a ', passage: 'a ' } })
  })

  test('long texts are embedded in windows of the maximum length, each with the prefix', async () => {
    const embedder = await openTiny('bert', { maxTokens: 8 }, { passagePrefix: 'passage : ' })
    const plain = await openTiny('bert', { maxTokens: 8 })
    const [long] = await embedder.embed(['the cat sat the dog ran'], 'passage')
    const [first = new Float32Array(), second = new Float32Array()] = await plain.embed(
      ['passage : the cat sat', 'passage : the dog ran'],
      'passage',
    )
    expect(difference(long, unit([...first].map((value, at) => value + (second[at] ?? 0) / 2)))).toBeLessThan(1e-5)
  })
})

describe('names', () => {
  test('a changed file or setting is another model', async () => {
    const folder = await modelFolder(tinyModelFiles('bert'))
    const { name } = await readEmbeddingModel(folder)
    expect((await readEmbeddingModel(folder)).name).toBe(name)
    expect((await readEmbeddingModel(folder, { queryPrefix: 'a ' })).name).not.toBe(name)
    expect((await readEmbeddingModel(folder, { dimensions: 4 })).name).not.toBe(name)
    await writeFiles(folder, { 'README.md': 'not used' })
    expect((await readEmbeddingModel(folder)).name).toBe(name)
    await writeFiles(folder, { 'sentence_bert_config.json': { max_seq_length: 12 } })
    expect((await readEmbeddingModel(folder)).name).not.toBe(name)
  })

  test('a file that changes while the program runs is not mixed with the former one', async () => {
    const folder = await modelFolder(tinyModelFiles('bert'))
    const embedder = await open(folder)
    await writeFiles(folder, { 'model.onnx': tinyModelFiles('mpnet')['model.onnx'] ?? '' })
    await expect(embedder.embed(['the cat'], 'passage')).rejects.toMatchObject({ code: 'embedding_failed' })
    expect(await embedder.embed(['the cat'], 'query')).toHaveLength(1)
  })

  test.each([
    [['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx'], 'model.onnx'],
    [['onnx/model.onnx', 'onnx/model_fp16.onnx'], 'onnx/model.onnx'],
    [['onnx/model_quantized.onnx', 'model_int8.onnx', 'model_fp16.onnx'], 'onnx/model_quantized.onnx'],
    [['onnx/small.onnx'], 'onnx/small.onnx'],
  ])('of %j, the model is %s', async (names, chosen) => {
    const { 'model.onnx': graph = '', ...rest } = tinyModelFiles('bert')
    const folder = await modelFolder({ ...rest, ...Object.fromEntries(names.map((name) => [name, graph])) })
    const model = await readEmbeddingModel(folder)
    expect(model.graph).toMatchObject({ path: chosen, others: names.filter((name) => name !== chosen).toSorted() })
  })
})

describe('a folder is refused', () => {
  const good = tinyModelFiles('bert')
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([path]) => path !== name))
  const bytes = good['model.onnx'] as Uint8Array

  test.each([
    ['without tokenizer', without('tokenizer.json'), /tokenizer\.json is missing/],
    ['without model', without('model.onnx'), /model\.onnx is missing/],
    ['with several other models', { ...without('model.onnx'), 'a.onnx': bytes, 'b.onnx': bytes }, /a\.onnx, b\.onnx\. Rename one/],
    ['without configuration', without('config.json'), /config\.json is missing/],
    ['without pooling', { ...without('1_Pooling/config.json') }, /1_Pooling\/config\.json is missing/],
    [
      'with unknown pooling',
      { ...good, '1_Pooling/config.json': { pooling_mode_weightedmean_tokens: true } },
      /pooling_mode_weightedmean_tokens/,
    ],
    [
      'with two poolings',
      { ...good, '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true } },
      /cls \+ mean/,
    ],
    [
      'with a dense layer',
      { ...good, 'modules.json': [{ path: '2_Dense', type: 'sentence_transformers.models.Dense' }] },
      /module Dense \(2_Dense\)/,
    ],
    ['with a truncated model', { ...good, 'model.onnx': bytes.subarray(0, bytes.length - 40) }, /model\.onnx is not a complete ONNX model/],
    ['with another file as model', { ...good, 'model.onnx': '<html>not found</html>' }, /model\.onnx is not a complete ONNX model/],
    [
      'with unknown inputs',
      tinyModelFiles('bert', { inputs: ['input_ids', 'attention_mask', 'pixel_values'] }),
      /needs the input pixel_values/,
    ],
    [
      'with vectors of other dimensions',
      tinyModelFiles('bert', { size: 6 }),
      /gives an output of 1 × \d+ × 6 numbers instead of 1 × \d+ × 8/,
    ],
    ['with a sequence classifier', { ...tinyModelFiles('bert', { labels: 1 }) }, /has neither token vectors .* Its outputs: logits/],
    [
      'with the tokenizer of a larger model',
      { ...good, 'config.json': { model_type: 'bert', hidden_size: 8, vocab_size: 5 } },
      /tokenizer\.json has 16 tokens/,
    ],
    ['of another family', { ...good, 'config.json': { model_type: 'gpt2', hidden_size: 8 } }, /config\.json has the model_type gpt2/],
    [
      'with another hidden size',
      { ...good, 'config.json': { model_type: 'bert', hidden_size: 16 }, '1_Pooling/config.json': { pooling_mode_cls_token: true } },
      /gives an output of 1 × \d+ × 8 numbers instead of 1 × \d+ × 16/,
    ],
    [
      'with a truncated tokenizer',
      { ...good, 'tokenizer.json': JSON.stringify(good['tokenizer.json']).slice(0, 900) },
      /tokenizer\.json is no valid JSON/,
    ],
    ['with an unknown tokenizer', { ...good, 'tokenizer.json': { model: { type: 'Other' } } }, /tokenizer\.json cannot be used/],
    ['with invalid JSON', { ...good, 'modules.json': '[' }, /modules\.json is no valid JSON/],
    [
      'with weights outside of the folder',
      { ...good, 'model.onnx': externalModel('../../etc/passwd') },
      /weights outside of the folder \(\.\.\/\.\.\/etc\/passwd\)/,
    ],
    ['with weights at an absolute path', { ...good, 'model.onnx': externalModel('/etc/passwd') }, /weights outside of the folder/],
    ['with missing weights', { ...good, 'model.onnx': externalModel('model.onnx_data') }, /model\.onnx_data is missing/],
  ])('%s', async (_, files, message) => {
    const folder = await modelFolder(files)
    await expect(openFolderEmbedder({ folder, processes: 1 })).rejects.toThrow(message)
    await expect(openFolderEmbedder({ folder, processes: 1 })).rejects.toThrow(folder)
  })

  test('that does not exist', async () => {
    await expect(readEmbeddingModel('/nonexistent/model')).rejects.toThrow(/^\/nonexistent\/model: \. is not a folder/)
  })

  test('whose model the runtime cannot load', async () => {
    const graph = createOnnxGraph()
    const ids = graph.input('input_ids', 'int64', [1, 'length'])
    graph.output('last_hidden_state', graph.node({ operator: 'NoSuchOperator', inputs: [ids] }), 'float32', [1, 'length', tinySize])
    const folder = await modelFolder({ ...good, 'model.onnx': graph.encode() })
    await expect(openFolderEmbedder({ folder, processes: 1 })).rejects.toThrow(/model\.onnx cannot be loaded: .*NoSuchOperator/)
  })
})

/** A model whose first tensor is in another file. */
function externalModel(location: string): Uint8Array {
  const length = (bytes: Buffer): Buffer => Buffer.from([bytes.length])
  const field = (number: number, content: Buffer | string): Buffer => {
    const bytes = Buffer.from(content as string)
    return Buffer.concat([Buffer.from([(number << 3) | 2]), length(bytes), bytes])
  }
  const entry = field(13, Buffer.concat([field(1, 'location'), field(2, location)]))
  return field(7, field(5, Buffer.concat([field(8, 'weights'), entry])))
}

test('weights in a file of the folder are part of the name', async () => {
  const { 'model.onnx': _, ...rest } = tinyModelFiles('bert')
  const folder = await modelFolder({ ...rest, 'model.onnx': externalModel('model.onnx_data'), 'model.onnx_data': 'w' })
  await expect(readEmbeddingModel(folder)).rejects.toThrow(/no input input_ids/)
  await rm(join(folder, 'model.onnx_data'))
  await writeFile(join(folder, 'other'), await readFile(join(folder, 'config.json')))
  await expect(readEmbeddingModel(folder)).rejects.toThrow(/model\.onnx_data is missing/)
})
