import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'

const { organization } = await testApp({ embedder: unitEmbedder })
const caller = await organization()
const { call } = caller

interface Found {
  chunkId: string
  sourceId: string
  text: string
  score: number
  duplicates: number
}

const newBase = async (): Promise<string> => (await call('POST', '/v1/bases', { name: 'B' })).body.id
const search = async (base: string, options: object = {}): Promise<Found[]> => {
  const { status, body } = await call('POST', `/v1/bases/${base}/search`, { query: 'plum', ...options })
  expect(status).toBe(200)
  return body.data
}

describe('passages with the same text', async () => {
  const base = await newBase()
  const first = await addPassages(caller, base, ['A plum  a day', 'plum', 'apple'])
  await addPassages(caller, base, ['a PLUM a day', 'pear and plum', 'plum\n'])
  for (let copy = 0; copy < 30; copy++) await addPassages(caller, base, ['plum plum', `number ${copy}`])

  it('are one hit, the best or the oldest of them, with the number of the others', async () => {
    const found = await search(base, { topK: 4 })
    expect(found.map(({ text, duplicates }) => [text, duplicates])).toEqual([
      ['plum plum', 29],
      ['plum', 1],
      ['A plum  a day', 1],
      ['pear and plum', 0],
    ])
    expect(found.find(({ text }) => text === 'plum')?.sourceId).toBe(first)
  })

  it('are counted as far as the tenth passage for a smaller topK, and as far as topK in vector searches', async () => {
    const own = await newBase()
    for (let copy = 0; copy < 3; copy++) await addPassages(caller, own, ['plum'])
    const counted = async (options: object) => (await search(own, options)).map(({ duplicates }) => duplicates)
    expect(await counted({ topK: 1 })).toEqual([2])
    expect(await counted({ topK: 10 })).toEqual([2])
    expect(await counted({ topK: 1, hybridSearch: false })).toEqual([0])
    expect(await counted({ topK: 2, hybridSearch: false })).toEqual([2])
  })

  it('are all returned on request', async () => {
    const all = await search(base, { topK: 100, collapseDuplicates: false })
    expect(all).toHaveLength(66)
    expect(all.every(({ duplicates }) => duplicates === 0)).toBe(true)
    const distinct = await search(base, { topK: 100 })
    expect(distinct).toHaveLength(66 - 29 - 1 - 1)
    const same = ({ chunkId, score }: Found): [string, number] => [chunkId, score]
    const kept = new Set(distinct.map(({ chunkId }) => chunkId))
    expect(distinct.map(same)).toEqual(all.filter(({ chunkId }) => kept.has(chunkId)).map(same))
  })

  it('only append results for a larger topK', async () => {
    const longest = await search(base, { topK: 100 })
    for (const topK of [1, 2, 3, 4, 20, 33, 62]) {
      const found = await search(base, { topK })
      expect(found.map(({ chunkId }) => chunkId)).toEqual(longest.slice(0, topK).map(({ chunkId }) => chunkId))
      for (const [at, { duplicates }] of found.entries()) expect(duplicates).toBeLessThanOrEqual(longest[at]?.duplicates ?? -1)
    }
  })

  it('count once per source for perSourceLimit', async () => {
    const own = await newBase()
    await addPassages(caller, own, ['plum', 'plum', 'plum pie'])
    expect((await search(own, { perSourceLimit: 2 })).map(({ text, duplicates }) => [text, duplicates])).toEqual([['plum', 1]])
    expect(await search(own, { perSourceLimit: 3 })).toHaveLength(2)
  })
})
