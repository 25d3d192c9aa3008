import type { SearchHit } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { newBase } from '../../testing/sources.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'

const { organization } = await testApp({ embedder: unitEmbedder })
const owner = await organization()

async function lexical(base: string, query: string, more: object = {}): Promise<Map<string, number>> {
  const { status, body } = await owner.call('POST', `/v1/bases/${base}/search`, { query, topK: 50, ...more })
  expect(status).toBe(200)
  const found = (body.data as SearchHit[]).filter(({ scores }) => (scores.lexical ?? 0) > 0)
  return new Map(found.map(({ text, scores }) => [text, scores.lexical ?? 0]))
}

const partly = async (base: string, query: string): Promise<string[]> => [...(await lexical(base, query, { partial: true })).keys()]

const base = await newBase(owner)
await addPassages(owner, base, [
  'the plumber comes',
  'a plum for you',
  'plumbing and plumbers',
  'reservations are made here',
  'a theatre',
  'parties here',
  'nothing of that',
  'São Tomé is far',
])

describe('the last word of a partial query', () => {
  it('matches words that begin with it, only in partial queries', async () => {
    expect(await partly(base, 'who is the plumbe')).toEqual(expect.arrayContaining(['the plumber comes', 'plumbing and plumbers']))
    expect([...(await lexical(base, 'theat')).keys()]).toEqual([])
    expect(await partly(base, 'theat nothing')).toEqual(['nothing of that'])
    expect(await partly(base, 'theat')).toEqual(['a theatre'])
    expect(await partly(base, 'theat?')).toEqual([])
  })

  it('matches a word with a stem shorter than the typed prefix', async () => {
    expect(await partly(base, 'a reservat')).toEqual(['reservations are made here'])
    expect(await partly(base, 'sao tom')).toEqual(['São Tomé is far'])
  })

  it('needs three letters, and is not a stop word', async () => {
    expect(await partly(base, 'pl')).toEqual([])
    expect(await partly(base, 'the')).toEqual([])
  })

  it('scores no higher than a whole match, whose score does not increase', async () => {
    const [whole, partial] = [await lexical(base, 'plum'), await lexical(base, 'plum', { partial: true })]
    const [itself = 0, before = 0] = [partial.get('a plum for you'), whole.get('a plum for you')]
    expect(itself).toBeLessThanOrEqual(before)
    expect(itself).toBeGreaterThan(0)
    const [party, said] = [await lexical(base, 'party'), await lexical(base, 'party', { partial: true })]
    expect(said.get('parties here')).toBe(party.get('parties here'))
    for (const text of ['the plumber comes', 'plumbing and plumbers']) {
      expect(partial.get(text)).toBeGreaterThan(0)
      expect(partial.get(text)).toBeLessThan(itself)
    }
  })

  it('is shown in the explanation', async () => {
    const body = { query: 'theat', partial: true, explain: true, topK: 1 }
    const { data } = (await owner.call('POST', `/v1/bases/${base}/search`, body)).body
    expect(data[0].explanation.words).toEqual([expect.objectContaining({ word: 'theat…' })])
    const shares = data[0].explanation.words.reduce((sum: number, word: { bm25: number }) => sum + word.bm25, 0)
    expect(shares / (shares + data[0].explanation.halfBm25)).toBeCloseTo(data[0].scores.lexical, 6)
  })

  it('finds later sources, also in several knowledge bases', async () => {
    const [one, other] = [await newBase(owner), await newBase(owner)]
    await addPassages(owner, one, ['a lantern'])
    expect(await partly(one, 'lant')).toEqual(['a lantern'])
    await addPassages(owner, one, ['two lantanas'])
    await addPassages(owner, other, ['lanterns'])
    expect((await partly(one, 'lant')).toSorted()).toEqual(['a lantern', 'two lantanas'])
    const several = { baseIds: [one, other], query: 'lant', partial: true, hybridSearch: true }
    const { body } = await owner.call('POST', '/v1/search', several)
    expect(body.data.every(({ scores }: SearchHit) => (scores.lexical ?? 0) > 0)).toBe(true)
    expect(body.data).toHaveLength(3)
  })

  it('is not logged as a question', async () => {
    const one = await newBase(owner)
    await lexical(one, 'lant', { partial: true })
    await lexical(one, 'lantern')
    await owner.ctx.retrievals.flush()
    const { data } = (await owner.call('GET', `/v1/bases/${one}/retrievals`)).body
    expect(data.map(({ query }: { query: string }) => query)).toEqual(['lantern'])
  })
})
