import { expect, test } from 'vitest'
import { cachedQueries } from './cached-queries.ts'
import type { Embedder } from './embedder.ts'

function recording(): { embedder: Embedder; asked: string[][] } {
  const asked: string[][] = []
  const embedder: Embedder = {
    model: 'lengths@1/float32',
    dimensions: 1,
    async embed(texts) {
      asked.push([...texts])
      return texts.map((text) => Float32Array.of(text.length))
    },
    competence: () => 1,
    close: async () => undefined,
  }
  return { embedder, asked }
}

test('each query is embedded once', async () => {
  const { embedder, asked } = recording()
  const cached = cachedQueries(embedder, 10)
  await cached.embed(['a', 'bb'], 'query')
  expect(await cached.embed(['bb', 'ccc', 'a'], 'query')).toEqual([Float32Array.of(2), Float32Array.of(3), Float32Array.of(1)])
  expect(asked).toEqual([['a', 'bb'], ['ccc']])
})

test('the least recently used query is evicted first', async () => {
  const { embedder, asked } = recording()
  const cached = cachedQueries(embedder, 2)
  for (const query of ['a', 'b', 'a', 'c', 'a', 'b']) await cached.embed([query], 'query')
  expect(asked.flat()).toEqual(['a', 'b', 'c', 'b'])
})

test('passages are not cached', async () => {
  const { embedder, asked } = recording()
  const cached = cachedQueries(embedder, 10)
  await cached.embed(['a'], 'query')
  await cached.embed(['a'], 'passage')
  await cached.embed(['a'], 'passage')
  expect(asked).toHaveLength(3)
})
