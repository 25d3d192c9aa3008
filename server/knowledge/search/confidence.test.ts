import type { SearchReply } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { unitEmbedder, unitVector } from '../../testing/fixtures.ts'

const slanted = unitVector.map((_, index) => [0.6, 0.8][index] ?? 0)
const { organization } = await testApp({ embedder: { ...unitEmbedder, embed: async (texts) => texts.map(() => slanted) } })
const caller = await organization()
const { call } = caller

async function search(base: string, options: object): Promise<SearchReply> {
  const { status, body } = await call('POST', `/v1/bases/${base}/search`, options)
  expect(status).toBe(200)
  return body
}

const passages = [
  'The deposit for an e-bike is 350 pounds.',
  'The desk opens at nine on Sundays.',
  'Tandems can be rented for a day.',
  'Helmets are free for children.',
  'Repairs take two days.',
]

describe('the confidence of a reply', async () => {
  const base: string = (await call('POST', '/v1/bases', { name: 'B' })).body.id
  for (const text of passages) await addPassages(caller, base, [text])
  const query = 'What is the deposit for an e-bike?'

  it('is higher for a question that a passage answers', async () => {
    const [answered, unanswered] = [await search(base, { query }), await search(base, { query: 'Which planets have rings of ice?' })]
    expect(answered.confidence).toBeGreaterThan(unanswered.confidence + 0.3)
  })

  it('does not depend on the kind of search, filters, limits and thresholds', async () => {
    const { confidence, data } = await search(base, { query })
    for (const options of [
      { topK: 1 },
      { hybridSearch: false },
      { perSourceLimit: 1 },
      { similarityThreshold: 1 },
      { filter: { key: 'a', exists: true } },
      { sourceIds: [data[4]?.sourceId] },
      { sourceIds: [data[4]?.sourceId], hybridSearch: false },
      { collapseDuplicates: false },
      { explain: true },
    ])
      expect((await search(base, { query, ...options })).confidence).toBe(confidence)
  })

  it('is 0 without passages to compare', async () => {
    const empty: string = (await call('POST', '/v1/bases', { name: 'Empty' })).body.id
    expect(await search(empty, { query })).toMatchObject({ confidence: 0, data: [], belowThreshold: 0 })
  })

  it('changes little if a passage is stored twice', async () => {
    const twice: string = (await call('POST', '/v1/bases', { name: 'Twice' })).body.id
    for (const text of [...passages, passages[0] ?? '']) await addPassages(caller, twice, [text])
    const [once, more] = [await search(base, { query }), await search(twice, { query })]
    expect(Math.abs(once.confidence - more.confidence)).toBeLessThan(0.1)
  })
})

describe('belowThreshold', async () => {
  const base: string = (await call('POST', '/v1/bases', { name: 'B' })).body.id
  for (const text of passages) await addPassages(caller, base, [text])

  it('counts the passages among the best that the threshold removes', async () => {
    for (const hybridSearch of [true, false]) {
      const asked = { query: 'deposit for an e-bike', hybridSearch, topK: 4 }
      const all = await search(base, asked)
      expect([all.data.length, all.belowThreshold]).toEqual([4, 0])
      const similarityThreshold = all.data[1]?.score ?? 0
      const some = await search(base, { ...asked, similarityThreshold })
      expect(some.data).toEqual(all.data.filter(({ score }) => score >= similarityThreshold))
      expect(some.data.length + some.belowThreshold).toBe(4)
      expect(await search(base, { ...asked, similarityThreshold: 1 })).toMatchObject({ data: [], belowThreshold: 4 })
    }
  })
})
