import { Tokenizer } from '@huggingface/tokenizers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MiniLm, openMiniLm } from './minilm.ts'
import { bundledModelFolder, readModelFiles } from './model-files.ts'
import { cosine, windowMean } from './vectors.ts'

let exact: MiniLm
let quantized: MiniLm
beforeAll(async () => {
  exact = await openMiniLm(bundledModelFolder(), 'fp32')
  quantized = await openMiniLm(bundledModelFolder(), 'int8')
})
afterAll(async () => {
  await exact.close()
  await quantized.close()
})

async function embed(model: MiniLm, text: string): Promise<Float32Array> {
  return windowMean(await Promise.all(model.windows(text).map((window) => model.embedWindow(window))))
}

test('similarities equal those documented by sentence-transformers', async () => {
  const [weather, sun, stadium] = ['The weather is lovely today.', "It's so sunny outside!", 'He drove to the stadium.']
  for (const model of [exact, quantized]) {
    const [a, b, c] = [await embed(model, weather ?? ''), await embed(model, sun ?? ''), await embed(model, stadium ?? '')]
    expect(Math.abs(cosine(a, b) - 0.666)).toBeLessThan(0.03)
    expect(Math.abs(cosine(a, c) - 0.1046)).toBeLessThan(0.03)
    expect(Math.abs(cosine(b, c) - 0.1411)).toBeLessThan(0.03)
  }
})

test('int8 stays close to fp32', async () => {
  const texts = [
    'How do I reset my password?',
    'Refunds are paid within five working days to the card that was charged.',
    'The Panthers defense gave up just 308 points, ranking sixth in the league.',
    'An experimental study of a wing in a propeller slipstream was made. '.repeat(12),
    'function add(a, b) { return a + b } // 42',
  ]
  for (const text of texts) expect(cosine(await embed(exact, text), await embed(quantized, text))).toBeGreaterThan(0.97)
})

test('a window has 256 tokens including the two special ones', () => {
  const windows = quantized.windows('word '.repeat(600))
  expect(windows.map((window) => window.length)).toEqual([202, 202, 202])
  for (const window of windows) expect([window[0], window.at(-1)]).toEqual([101, 102])
  expect(quantized.windows('word '.repeat(254)).map((window) => window.length)).toEqual([256])
  expect(quantized.windows(' \n')).toEqual([Int32Array.of(101, 102)])
})

test.each([
  ['ｄｅｐｏｓｉｔ', 'deposit'],
  ['３５０', '350'],
  ['𝐝𝐞𝐩𝐨𝐬𝐢𝐭 𝟑𝟓𝟎', 'deposit 350'],
  ['٣٥٠ ๓๕๐', '350 350'],
  ['oﬀer', 'offer'],
  ['Ⅳ ㎏', 'IV kg'],
])('%s is embedded as %s', (text, plain) => {
  expect(quantized.windows(text)).toEqual(quantized.windows(plain))
})

test.each(['1½ m² … Groundwork™', 'Crème brûlée für zwei – 12 €', 'Прокат лодок', '漢字かな交じり文', 'ไทย'])(
  '%s keeps the tokens of the vocabulary',
  async (text) => {
    const { tokenizer } = await readModelFiles(bundledModelFolder())
    const { ids } = new Tokenizer(JSON.parse(tokenizer), {}).encode(text)
    expect(quantized.windows(text)).toEqual([Int32Array.from(ids)])
  },
)
