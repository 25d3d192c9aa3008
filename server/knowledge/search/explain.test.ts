import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { unitEmbedder, unitVector } from '../../testing/fixtures.ts'

const slanted = unitVector.map((_, index) => [0.6, 0.8][index] ?? 0)
let canEmbed = true
const { organization } = await testApp({
  embedder: { ...unitEmbedder, embed: async (texts) => (canEmbed ? texts.map(() => slanted) : Promise.reject(new Error('down'))) },
})
const caller = await organization()
const { call } = caller

interface Found {
  text: string
  score: number
  scores: { vector: number | null; lexical: number | null; agreement: number | null; sentence: number | null }
  explanation: {
    words: { word: string; weight: number; bm25: number }[]
    bm25: number
    halfBm25: number
    cosine: number | null
    weights: { vector: number; lexical: number }
    formula: string
  }
}

/** The score that the numbers of an explanation make, as the documentation tells it. */
function recomputed({ scores: { agreement, sentence }, explanation }: Found): number {
  const { words, bm25, halfBm25, cosine, weights, formula } = explanation
  expect(words.reduce((sum, word) => sum + word.bm25, 0)).toBeCloseTo(bm25, 6)
  const lexical = bm25 / (bm25 + halfBm25)
  const match = (weights.vector * Math.max(cosine ?? 0, 0) + weights.lexical * lexical) / (weights.vector + weights.lexical)
  const relevance = (agreement === null ? match : (match + 0.4 * agreement) / 1.4) + 0.07 * (sentence ?? 0)
  const [slope = 0, midpoint = 0] = /e\^\(([\d.]+) × \(([\d.]+) - x/.exec(formula)?.slice(1).map(Number) ?? []
  const s = (x: number): number => 1 / (1 + Math.exp(slope * (midpoint - x)))
  return (s(relevance) - s(0)) / (s(1) - s(0))
}

describe('an explanation', async () => {
  const base: string = (await call('POST', '/v1/bases', { name: 'B' })).body.id
  await addPassages(caller, base, ['Running nations run.', 'The nation', 'nothing of it', 'more of nothing'])
  await addPassages(caller, base, ['東京タワー'])
  const search = async (options: object): Promise<Found[]> => {
    const { status, body } = await call('POST', `/v1/bases/${base}/search`, { query: 'a running nation', explain: true, ...options })
    expect(status).toBe(200)
    return body.data
  }

  it('adds up to the score', async () => {
    for (const options of [
      {},
      { hybridSearch: false },
      { perSourceLimit: 2 },
      { query: '東京 nation' },
      { filter: { key: 'a', exists: false } },
    ]) {
      const found = await search(options)
      expect(found.length).toBeGreaterThan(2)
      for (const hit of found) {
        expect(Math.abs(recomputed(hit) - hit.score)).toBeLessThan(1e-6)
        expect(hit.explanation.formula).toMatch(new RegExp(`score = .* = ${Number(hit.score.toFixed(6))}$`))
      }
    }
  })

  it('lists the matching query words with their contributions', async () => {
    const [first, second, third] = await search({})
    expect(first?.explanation).toEqual({
      words: [
        { word: 'running', weight: expect.closeTo(Math.log(1 + 149.5 / 1.5), 6), bm25: expect.any(Number) },
        { word: 'nation', weight: expect.closeTo(Math.log(1 + 148.5 / 2.5), 6), bm25: expect.any(Number) },
      ],
      bm25: expect.any(Number),
      halfBm25: expect.closeTo((20 * Math.log(152)) / Math.log(1000), 6),
      cosine: expect.closeTo(0.6, 4),
      weights: { vector: 1, lexical: 2.5 },
      formula: expect.stringMatching(
        /^vector = 0\.\d+; lexical = [\d.]+ \/ \([\d.]+ \+ 14\.545624\) = [\d.]+; match = \(1 × vector \+ 2\.5 × lexical\) \/ 3\.5 = [\d.]+; agreement = [\d.]+; sentence = [\d.]+; relevance = \(match \+ 0\.4 × agreement\) \/ 1\.4 \+ 0\.07 × sentence = [\d.]+; score = /,
      ),
    })
    expect(second?.explanation.words.map(({ word }) => word)).toEqual(['nation'])
    expect(third?.explanation).toMatchObject({ words: [], bm25: 0 })
    expect((await search({ query: '東京' }))[0]?.explanation.words.map(({ word }) => word)).toEqual(['東京'])
  })

  it('omits a search that did not run', async () => {
    const [byMeaning] = await search({ hybridSearch: false })
    expect(byMeaning?.explanation).toMatchObject({
      words: [],
      bm25: 0,
      weights: { vector: 1, lexical: 0 },
      formula: expect.stringMatching(/^vector = (0\.\d+); relevance = vector = \1; score = /),
    })
    canEmbed = false
    const [byWords] = await search({})
    canEmbed = true
    expect(byWords?.explanation).toMatchObject({ cosine: null, weights: { vector: 0, lexical: 2.5 } })
    expect(Math.abs((byWords && recomputed(byWords) - byWords.score) ?? 1)).toBeLessThan(1e-6)
  })

  it('is only included on request, and changes nothing else', async () => {
    const without = await search({ explain: false })
    expect(without.some((hit) => 'explanation' in hit)).toBe(false)
    expect((await search({})).map(({ explanation: _explanation, ...hit }) => hit)).toEqual(without)
  })
})
