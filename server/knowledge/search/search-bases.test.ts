import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'

const { organization } = await testApp({ embedder: unitEmbedder })
const caller = await organization()
const { call } = caller

const newBase = async (ragSettings = {}): Promise<string> => (await call('POST', '/v1/bases', { name: 'B', ragSettings })).body.id
const search = (baseIds: readonly unknown[], options: object = {}) => call('POST', '/v1/search', { query: 'a plum', baseIds, ...options })
interface Found {
  text: string
  baseId: string
  score: number
}

describe('a search of several knowledge bases', async () => {
  const [one, other, third] = [await newBase(), await newBase(), await newBase()]
  await addPassages(caller, one, ['a plum of the one', 'nothing of the kind'])
  await addPassages(caller, other, ['a plum of the other base', 'plum'])
  const whole = await newBase()
  await addPassages(caller, whole, ['a plum of the one', 'nothing of the kind', 'a plum of the other base', 'plum'])

  it('has the results of one knowledge base with all passages, and the knowledge base of each', async () => {
    const { status, body, headers } = await search([one, other.slice(3), one, third])
    expect([status, headers['server-timing']]).toEqual([200, expect.stringContaining('search;dur=')])
    const asOne = (await call('POST', `/v1/bases/${whole}/search`, { query: 'a plum' })).body.data
    const scores = (found: Found[]) => found.map(({ text, score }) => [text, score])
    expect(scores(body.data)).toEqual(scores(asOne))
    expect(body.data.map(({ text, baseId }: Found) => [text, baseId])).toEqual([
      ['plum', other],
      ['a plum of the one', one],
      ['a plum of the other base', other],
      ['nothing of the kind', one],
    ])
    expect((await search([third])).body.data).toEqual([])
    expect((await call('POST', `/v1/bases/${one}/search`, { query: 'plum' })).body.data[0].baseId).toBe(one)
  })

  it('takes its settings from the request, not from the knowledge bases', async () => {
    const strict = await newBase({ topK: 1, similarityThreshold: 0.9 })
    await addPassages(caller, strict, ['a plum', 'another plum'])
    expect((await search([strict])).body.data).toHaveLength(2)
    expect((await search([strict, one], { topK: 3 })).body.data).toHaveLength(3)
  })

  it('names an unknown knowledge base, and refuses too many or none', async () => {
    const missing = `kb_${newId()}`
    const { status, body } = await search([one, missing])
    expect([status, body.error.code, body.error.field, body.error.message]).toEqual([
      422,
      'validation_error',
      'baseIds',
      expect.stringContaining(missing),
    ])
    for (const [field, baseIds] of [
      ['baseIds', []],
      ['baseIds', Array.from({ length: 21 }, () => one)],
      ['baseIds.1', [one, 'src_1']],
    ] as const) {
      expect(await search(baseIds)).toMatchObject({ status: 422, body: { error: { field } } })
    }
  })
})
