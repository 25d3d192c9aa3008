import { expect, onTestFinished, test } from 'vitest'
import { modelFolder, tinyModelFiles, tinyVector, type Family, type TinyOptions } from '../../testing/model-folders.ts'
import { pairOf } from './cross-encoder.ts'
import { openFolderReranker, type FolderRerankerOptions } from './folder.ts'
import type { Reranker } from './reranker.ts'

const never = new AbortController().signal

async function openTiny(family: Family, model: TinyOptions = {}, options: Partial<FolderRerankerOptions> = {}): Promise<Reranker> {
  const folder = await modelFolder(tinyModelFiles(family, { labels: 1, ...model }))
  const reranker = await openFolderReranker({ folder, threads: 1, ...options })
  onTestFinished(() => reranker.close?.())
  return reranker
}

/** The relevance that a tiny model gives to the pair with these tokens. */
const relevanceOf = (ids: readonly number[], types: readonly number[]): number =>
  1 / (1 + Math.exp(-ids.reduce((sum, id, position) => sum + (tinyVector(id, position, types[position])[0] ?? 0), 0)))

test.each([
  ['bert', [2, 4, 5, 3, 4, 6, 3], [0, 0, 0, 0, 1, 1, 1]],
  ['xlm-roberta', [0, 5, 6, 2, 2, 5, 7, 2], []],
  ['mpnet', [0, 4, 5, 2, 2, 4, 6, 2], []],
] as const)('%s: special tokens and segments of a pair', async (family, ids, types) => {
  const reranker = await openTiny(family)
  expect(reranker.model).toMatch(/@[0-9a-f]{12}\/fp32$/)
  const [relevance] = await reranker.rerank('the cat', ['the dog'], never)
  expect(relevance).toBeCloseTo(relevanceOf(ids, types), 5)
})

test('relevances are in the order of the documents, each of its own document only', async () => {
  const reranker = await openTiny('bert')
  const documents = ['the dog', 'cat', '', 'ran '.repeat(200), '\ud800']
  const together = await reranker.rerank('the cat', documents, never)
  const alone = await Promise.all(documents.map(async (document) => (await reranker.rerank('the cat', [document], never))[0]))
  expect(together).toEqual(alone)
  expect(new Set(together.slice(0, 4)).size).toBe(4)
  expect(await reranker.rerank('the cat', [], never)).toEqual([])
})

test('of a long pair, the longer text is cut', () => {
  const special = { before: [], after: [], pair: { before: [1], between: [2], after: [3], secondType: 1 } }
  expect(pairOf([5, 5], [6, 6, 6, 6, 6, 6], special, 9).ids).toEqual([1, 5, 5, 2, 6, 6, 6, 6, 3])
  expect(pairOf([5, 5, 5, 5, 5, 5], [6, 6], special, 9).ids).toEqual([1, 5, 5, 5, 5, 2, 6, 6, 3])
  expect(pairOf([5, 5, 5, 5, 5, 5], [6, 6, 6, 6, 6], special, 9)).toEqual({
    ids: [1, 5, 5, 5, 2, 6, 6, 6, 3],
    types: [0, 0, 0, 0, 0, 1, 1, 1, 1],
  })
})

test('an abort and a deadline end the call', async () => {
  const reranker = await openTiny('bert', {}, { timeoutMs: 1 })
  const documents = Array.from({ length: 5000 }, (_, at) => `the cat ${at}`)
  await expect(reranker.rerank('q', documents, never)).rejects.toThrow(/no answer in 1 ms|too many passages/)
  await expect(reranker.rerank('q', documents, AbortSignal.abort(new Error('nobody waits')))).rejects.toThrow('nobody waits')
})

test('a folder with another kind of model is refused', async () => {
  await expect(openTiny('bert', { labels: 2 })).rejects.toThrow(/classifies into 2 labels/)
  const embeddings = await modelFolder(tinyModelFiles('bert'))
  await expect(openFolderReranker({ folder: embeddings })).rejects.toThrow(/model\.onnx has no output logits.*last_hidden_state/)
})
