import type { SearchReply } from '@groundwork/api'
import { beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { newBase } from '../../testing/sources.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { RerankError, type Reranker } from '../rerank/reranker.ts'
import { searchBase } from './search-base.ts'

/** The calls of the reranker, and its score of a document. */
let asked: { query: string; documents: readonly string[] }[] = []
let relevanceOf: (document: string) => number
const reranker: Reranker = {
  async rerank(query, documents) {
    asked.push({ query, documents })
    return documents.map((document) => relevanceOf(document))
  },
}
const { organization } = await testApp({ embedder: unitEmbedder, reranker })
const owner = await organization()

/** A hundred passages, of which the search thinks the first ones best: they say plum more often. */
const passages = Array.from({ length: 100 }, (_, at) => `${'plum '.repeat(at < 60 ? 60 - at : 0)}no. ${at}`)
const numberOf = (text: string): number => Number(/no\. (\d+)/.exec(text)?.[1])

beforeEach(() => {
  asked = []
  // Later passages are better, but of some it thinks the same.
  relevanceOf = (document) => Math.floor(numberOf(document) / 2) / 50
})

async function search(base: string, body: object): Promise<SearchReply> {
  const answer = await owner.call('POST', `/v1/bases/${base}/search`, { query: 'plum', ...body })
  expect(answer.status).toBe(200)
  return answer.body
}

async function filled(ragSettings = {}): Promise<string> {
  const base = await newBase(owner, ragSettings)
  await addPassages(owner, base, passages, { title: 'Orchard' })
  return base
}

describe('a reranked search', () => {
  it('is scored by relevance, on the same scale for every topK', async () => {
    const base = await filled()
    const plain = await search(base, { topK: 3 })
    expect([plain.scoredBy, plain.degraded, plain.data[0]?.scores.rerank, plain.timings.rerankMs]).toEqual(['hybrid', [], null, 0])
    const all = await search(base, { rerank: true, topK: 100 })
    expect([all.scoredBy, all.degraded, all.data.length]).toEqual(['rerank', [], 50])
    for (const { score, scores } of all.data) expect(score).toBe(scores.rerank)
    expect(all.data.map(({ score }) => score)).toEqual(all.data.map(({ score }) => score).toSorted((a, b) => b - a))
    for (const topK of [1, 7, 30]) {
      const fewer = await search(base, { rerank: true, topK })
      expect(fewer.data).toEqual(all.data.slice(0, topK))
    }
    expect(asked.map(({ documents }) => documents.length)).toEqual([50, 50, 50, 50])
    expect(asked[0]?.query).toBe('plum')
    expect(asked[0]?.documents[0]).toBe(`Orchard\n\n${passages[0]}`)
    // Of equal relevance, in the order of the search.
    expect(all.data.slice(0, 4).map(({ text }) => numberOf(text))).toEqual([48, 49, 46, 47])
  })

  it('applies the threshold to the relevance only', async () => {
    const base = await filled({ similarityThreshold: 0.5 })
    const { data } = await search(base, { rerank: true, topK: 100 })
    expect(data).toEqual([])
    const low = await search(base, { rerank: true, topK: 100, similarityThreshold: 0.4 })
    expect(low.data.map(({ text }) => numberOf(text))).toEqual([48, 49, 46, 47, 44, 45, 42, 43, 40, 41])
  })

  it('is enabled by the knowledge base or the request, and never for several knowledge bases', async () => {
    const base = await filled({ rerank: true })
    expect((await owner.call('GET', `/v1/bases/${base}`)).body.ragSettings.rerank).toBe(true)
    expect((await search(base, {})).scoredBy).toBe('rerank')
    expect((await search(base, { rerank: false })).scoredBy).toBe('hybrid')
    const several = async (body: object) =>
      (await owner.call('POST', '/v1/search', { baseIds: [base], query: 'plum', ...body })).body.scoredBy
    expect(await several({})).toBe('hybrid')
    expect(await several({ rerank: true })).toBe('rerank')
  })

  it('explains its score, and is not stored under an Idempotency-Key', async () => {
    const base = await filled()
    const body = { query: 'plum', rerank: true, explain: true, topK: 1 }
    const answer = async () => owner.call('POST', `/v1/bases/${base}/search`, body, { 'idempotency-key': base })
    const first = await answer()
    expect(first.body.data[0].explanation.formula).toMatch(/; reranked: score = rerank = 0\.48$/)
    const second = await answer()
    expect([second.headers['idempotency-replayed'], second.body.data]).toEqual([undefined, first.body.data])
    expect(asked).toHaveLength(2)
  })

  it('falls back to the search order, and reports it, while the reranker fails', async () => {
    const base = await filled()
    const plain = await search(base, { topK: 100, similarityThreshold: 0.1 })
    relevanceOf = () => {
      throw new RerankError('The reranking endpoint answered 500')
    }
    const degraded = await search(base, { topK: 100, similarityThreshold: 0.1, rerank: true })
    expect([degraded.scoredBy, degraded.degraded]).toEqual(['hybrid', ['rerank']])
    expect(degraded.data).toEqual(plain.data)
  })

  it('is a setting of the knowledge base, not of sources', async () => {
    const base = await filled()
    const source = { name: 'S', type: 'url', url: 'https://example.com/', ragSettingsOverride: { rerank: true } }
    expect((await owner.call('POST', `/v1/bases/${base}/sources`, source)).status).toBe(422)
  })
})

describe('without a reranker', () => {
  it('a search reports that it was not reranked', async () => {
    const base = await filled()
    const reply = await searchBase({ ...owner.ctx, reranker: null }, base.slice(-36), { query: 'plum', rerank: true, topK: 2 })
    expect([reply.scoredBy, reply.degraded, reply.data.length]).toEqual(['hybrid', ['rerank'], 2])
  })
})
