import type { SearchReply } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { newBase } from '../../testing/sources.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'

const { organization } = await testApp({ embedder: unitEmbedder })
const owner = await organization()

async function search(base: string, body: object): Promise<SearchReply> {
  const reply = await owner.call('POST', `/v1/bases/${base}/search`, body)
  expect(reply.status).toBe(200)
  return reply.body
}

const answer =
  'The workshop in the old mill was founded in 1987 by two brothers, who had repaired bicycles for their neighbours before. It has nine employees today, and most of them learned the trade there.'
/** Has the words of the question more often, but in no sentence together. */
const related =
  'A mill was founded in this valley in each century, and the founded towns around them still bear their names. The workshop of a miller was an important place, and each old workshop had its own rules for apprentices.'

async function withPassages(texts: readonly string[]): Promise<string> {
  const base = await newBase(owner)
  await addPassages(owner, base, texts)
  return base
}

describe('the best sentence of a passage', () => {
  const query = 'When was the workshop in the old mill founded?'

  it('raises the score of a passage that answers in one sentence', async () => {
    const base = await withPassages([related, answer])
    const { data } = await search(base, { query, explain: true })
    const [first, second] = data
    expect([first?.text, second?.text]).toEqual([answer, related])
    expect(first?.scores.sentence).toBeGreaterThan(0.2)
    expect(second?.scores.sentence).toBeLessThan(first?.scores.sentence ?? 0)
    for (const { scores, explanation } of data)
      expect(explanation?.formula).toContain(`sentence = ${Number(scores.sentence?.toFixed(6))}; relevance = `)
  })

  it('is compared in the ten best passages, whatever topK is', async () => {
    const base = await withPassages([
      answer,
      related,
      ...Array.from(
        { length: 30 },
        (_, at) => `${'The mill and the workshop were old. '.repeat(1 + (at % 5))} House number ${at} is for sale.`,
      ),
    ])
    const all = await search(base, { query, topK: 100 })
    expect(all.data.length).toBeGreaterThan(20)
    expect(all.data.map(({ scores }) => scores.sentence !== null)).toEqual(all.data.map((_, at) => at < 10))
    expect(all.data.map(({ score }) => score)).toEqual(all.data.map(({ score }) => score).toSorted((a, b) => b - a))
    for (const topK of [1, 3, 10, 15]) expect((await search(base, { query, topK })).data).toEqual(all.data.slice(0, topK))
    const { belowThreshold, data } = await search(base, { query, topK: 3, similarityThreshold: (all.data[1]?.score ?? 0) + 1e-9 })
    expect([data.length, belowThreshold]).toEqual([1, 2])
  })

  it('takes no part in a search by vectors alone', async () => {
    const base = await withPassages([related, answer])
    const { data, scoredBy } = await search(base, { query, hybridSearch: false })
    expect(scoredBy).toBe('vector')
    expect(data.map(({ scores }) => scores.sentence)).toEqual([null, null])
  })

  it('does not judge lists of short lines, and scripts without spaces between words', async () => {
    const base = await withPassages([
      'When was it founded?\nWhen does it open?\nWhere is the mill?',
      '東京タワーは1958年に完成しました。'.repeat(10),
    ])
    for (const question of [query, '東京タワーはいつ完成しましたか']) {
      const { data } = await search(base, { query: question })
      expect(data[0]?.scores.sentence).toBe(0)
    }
  })
})
