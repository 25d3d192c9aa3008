import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { testApp } from '../../testing/app.ts'
import { createFixtures, unitEmbedder } from '../../testing/fixtures.ts'

const { app, organization } = await testApp({ embedder: unitEmbedder })

const asking = (knowledge_id: string | undefined, more: object = {}) => ({
  knowledge_id,
  query: 'opening hours',
  retrieval_setting: { top_k: 5, score_threshold: 0 },
  ...more,
})

describe("Dify's retrieval", () => {
  it('returns records', async () => {
    const caller = await organization()
    const { kb, src } = await createFixtures(caller)
    await caller.call('PATCH', `/v1/bases/${kb}/sources/${src}`, { metadata: { product: 'bicycle' } })
    const { status, body } = await caller.call('POST', '/dify/retrieval', asking(kb))
    expect([status, body]).toEqual([
      200,
      {
        records: [
          {
            content: 'opening hours',
            score: expect.any(Number),
            title: 'S',
            metadata: {
              product: 'bicycle',
              chunkId: expect.stringMatching(/^chk_/),
              sourceId: src,
              sourceName: 'S',
              url: 'https://example.com/',
              highlight: 'opening hours',
            },
          },
        ],
      },
    ])
  })

  it('applies the threshold, or the settings of the knowledge base by default', async () => {
    const caller = await organization()
    const { kb } = await createFixtures(caller)
    const found = async (retrieval_setting: object): Promise<number> =>
      (await caller.call('POST', '/dify/retrieval', asking(kb, { retrieval_setting }))).body.records.length
    expect(await found({ top_k: 5, score_threshold: 1 })).toBe(0)
    expect(await found({ top_k: null, score_threshold: null })).toBe(1)
    await caller.call('PATCH', `/v1/bases/${kb}`, { ragSettings: { similarityThreshold: 1 } })
    expect(await found({ top_k: 5 })).toBe(0)
  })

  it.each<[object, number]>([
    [{ conditions: [{ name: 'product', comparison_operator: 'is', value: 'bicycle' }] }, 1],
    [{ conditions: [{ name: ['kind', 'product'], comparison_operator: 'is', value: 'bicycle' }] }, 1],
    [{ conditions: [{ name: 'product', comparison_operator: 'is not', value: 'bicycle' }] }, 0],
    [{ conditions: [{ name: 'product', comparison_operator: 'in', value: ['car', 'bicycle'] }] }, 1],
    [{ conditions: [{ name: 'product', comparison_operator: 'not in', value: ['car'] }] }, 1],
    [{ conditions: [{ name: 'size', comparison_operator: '=', value: '3' }] }, 1],
    [{ conditions: [{ name: 'size', comparison_operator: '≠', value: 3 }] }, 0],
    [{ conditions: [{ name: 'size', comparison_operator: '≥', value: 3 }] }, 1],
    [{ conditions: [{ name: 'size', comparison_operator: '<', value: '3' }] }, 0],
    [{ conditions: [{ name: 'since', comparison_operator: 'before', value: '2026-02-01' }] }, 1],
    [{ conditions: [{ name: 'since', comparison_operator: 'after', value: '2026-02-01' }] }, 0],
    [{ conditions: [{ name: 'nothing', comparison_operator: 'empty' }] }, 1],
    [{ conditions: [{ name: 'nothing', comparison_operator: 'not empty', value: null }] }, 0],
    [
      {
        logical_operator: 'or',
        conditions: [
          { name: 'size', comparison_operator: '>', value: 9 },
          { name: 'size', comparison_operator: '≤', value: 9 },
        ],
      },
      1,
    ],
    [{ logical_operator: 'and', conditions: [] }, 1],
  ])('with the condition %j finds %i', async (metadata_condition, count) => {
    const caller = await organization()
    const { kb, src } = await createFixtures(caller)
    await caller.call('PATCH', `/v1/bases/${kb}/sources/${src}`, { metadata: { product: 'bicycle', size: 3, since: '2026-01-01' } })
    const { status, body } = await caller.call('POST', '/dify/retrieval', asking(kb, { metadata_condition }))
    expect([status, body.records?.length]).toEqual([200, count])
  })

  it('reports failures with the error codes that Dify documents', async () => {
    const caller = await organization()
    const { kb } = await createFixtures(caller)
    const without = async (headers: Record<string, string>) => {
      const response = await app.inject({ method: 'POST', url: '/dify/retrieval', headers, payload: asking(kb) })
      return [response.statusCode, response.json().error_code]
    }
    expect(await without({})).toEqual([403, 1001])
    expect(await without({ authorization: 'Token x' })).toEqual([403, 1001])
    expect(await without({ authorization: 'Bearer x' })).toEqual([403, 1002])
    const failed = async (body: object) => {
      const answer = await caller.call('POST', '/dify/retrieval', body)
      return [answer.status, answer.body.error_code, answer.body.error_msg]
    }
    for (const id of [newId(), `kb_${newId()}`, 'AAA-BBB-CCC']) expect(await failed(asking(id))).toEqual([404, 2001, expect.any(String)])
    expect(await failed(asking(kb, { query: '' }))).toEqual([400, 400, expect.stringContaining('query')])
    const metadata_condition = { logical_operator: 'and', conditions: [{ name: 'product', comparison_operator: 'contains', value: 'x' }] }
    expect(await failed(asking(kb, { metadata_condition }))).toEqual([
      400,
      400,
      expect.stringContaining('operator contains, which is not supported'),
    ])
    expect(await failed({})).toEqual([400, 400, expect.stringContaining('knowledge_id')])
  })

  it('distinguishes a wrong key from a wrong endpoint in a request without a body', async () => {
    const { token } = await organization()
    const trial = (secret: string) => app.inject({ method: 'POST', url: '/dify/retrieval', headers: { authorization: `Bearer ${secret}` } })
    expect((await trial('wrong')).statusCode).toBe(403)
    expect([403, 404, 502]).not.toContain((await trial(token)).statusCode)
  })
})
