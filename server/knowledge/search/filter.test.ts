import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { hostileStrings } from '../../testing/hostile-values.ts'

const { organization, database } = await testApp({ embedder: unitEmbedder })
const caller = await organization()
const { call } = caller

const newBase = async (): Promise<string> => (await call('POST', '/v1/bases', { name: 'B' })).body.id
const search = async (base: string, filter?: object, options: object = {}) => {
  const answer = await call('POST', `/v1/bases/${base}/search`, {
    query: 'opening hours',
    topK: 100,
    ...(filter && { filter }),
    ...options,
  })
  expect([filter, answer.status]).toEqual([filter, 200])
  return answer.body.data as { sourceName: string; chunkId: string; score: number }[]
}

describe('a filter', async () => {
  const base = await newBase()
  for (const [name, metadata] of Object.entries({
    bicycle: { product: 'bicycle', price: 300, stock: true, since: '2026-05-25', tags: ['new', 'red'] },
    ebike: { product: 'e-bike', price: 1900.5, stock: false, since: '2026-05-25T20:14:00.250Z', tags: [] },
    scooter: { product: 'scooter', price: '300', stock: 'true', since: '2026-05-26T01:00:00+14:00' },
    bare: {},
  })) {
    await addPassages(caller, base, [`opening hours of the ${name}`], { name, metadata })
  }

  it.each<[found: string[], filter: object]>([
    [['bicycle'], { key: 'product', eq: 'bicycle' }],
    [[], { key: 'product', eq: 'Bicycle' }],
    [['bicycle'], { key: 'price', eq: 300.0 }],
    [['scooter'], { key: 'price', eq: '300' }],
    [['bicycle'], { key: 'stock', eq: true }],
    [['ebike'], { key: 'stock', eq: false }],
    [['bicycle', 'ebike'], { key: 'product', in: ['e-bike', 'bicycle', 5, true] }],
    [['bicycle'], { key: 'tags', eq: 'red' }],
    [['bicycle'], { key: 'tags', in: ['blue', 'new'] }],
    [['bicycle', 'ebike'], { key: 'tags', exists: true }],
    [['bare', 'scooter'], { key: 'tags', exists: false }],
    [['bicycle'], { key: 'price', gte: 300, lt: 1900.5 }],
    [['bicycle', 'ebike'], { key: 'price', gte: 1e-7, lte: 9e15 }],
    [['ebike'], { key: 'price', gt: 300 }],
    [['bicycle', 'scooter'], { key: 'since', lte: '2026-05-25T13:00:00+02:00' }],
    [['ebike'], { key: 'since', gte: '2026-05-25T20:14:00.250Z' }],
    [[], { key: 'since', gt: '2026-05-25T20:14:00.250Z' }],
    [['bicycle'], { key: 'since', lt: '2026-05-25T10:00Z' }],
    [[], { key: 'product', gt: '2026-05-25' }],
    [['bare', 'ebike', 'scooter'], { not: { key: 'product', eq: 'bicycle' } }],
    [['bare', 'ebike', 'scooter'], { not: { key: 'since', lt: '2026-05-25T10:00Z' } }],
    [['bare', 'scooter'], { not: { key: 'price', gt: 1 } }],
    [
      ['bicycle', 'scooter'],
      {
        or: [
          { key: 'stock', eq: true },
          { key: 'product', eq: 'scooter' },
        ],
      },
    ],
    [['scooter'], { and: [{ key: 'product', exists: true }, { not: { key: 'price', gte: 0 } }] }],
    [['bare'], { not: { not: { not: { or: [{ key: 'product', exists: true }] } } } }],
  ])('matches %j with %j', async (found, filter) => {
    expect((await search(base, filter)).map(({ sourceName }) => sourceName).toSorted()).toEqual(found)
  })

  it('changes no score', async () => {
    const all = await search(base)
    for (const options of [{}, { hybridSearch: false }, { similarityThreshold: 0.1 }]) {
      const some = await search(base, { key: 'price', gt: 0 }, options)
      expect(some.length).toBe(2)
      const same = await search(base, undefined, options)
      expect(some).toEqual(same.filter(({ sourceName }) => ['bicycle', 'ebike'].includes(sourceName)))
    }
    expect(all).toHaveLength(4)
  })

  it('is applied before the top results are selected, with and without sourceIds', async () => {
    expect(await search(base, { key: 'product', eq: 'scooter' }, { topK: 1 })).toHaveLength(1)
    const [{ sourceId = '' } = {}] = (await search(base, { key: 'product', eq: 'e-bike' })) as { sourceId?: string }[]
    expect(await search(base, { key: 'product', eq: 'scooter' }, { sourceIds: [sourceId] })).toEqual([])
    expect(await search(base, { key: 'product', eq: 'e-bike' }, { sourceIds: [sourceId] })).toHaveLength(1)
  })

  it('that is invalid is refused with its path', async () => {
    for (const [field, filter] of [
      ['filter.and.0.not.gt', { and: [{ not: { key: 'a', gt: 'x' } }] }],
      ['filter.key', { and: [{ key: 'a', eq: 1 }], key: 'b' }],
      ['filter.and.0.op', { and: [{ key: 'a', op: 'eq' }] }],
    ] as const) {
      const { status, body } = await call('POST', `/v1/bases/${base}/search`, { query: 'x', filter })
      expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', field])
    }
  })

  it('accepts the deepest possible body', async () => {
    const deep = `{"query":"x","filter":${'{"not":'.repeat(50_000)}1${'}'.repeat(50_000)}}`
    expect((await call('POST', `/v1/bases/${base}/search`, deep)).status).toBe(400)
  })

  it('accepts any text as key and value', async () => {
    const texts = hostileStrings
      .concat(['"] || true', '\\', '\\"', '$v0', '\u2028', "'; drop table source; --", '\u0001'])
      .map((text) => text.trim())
      .filter((text) => text !== '' && text !== '__proto__' && text.length <= 64 && !/\p{Surrogate}|\0/u.test(text))
    const naughty = await newBase()
    const some = [...new Set(texts)].slice(0, 400)
    const parts: string[][] = []
    for (let from = 0; from < some.length; from += 50) parts.push(some.slice(from, from + 50))
    for (const part of parts) {
      await addPassages(caller, naughty, ['opening hours'], { metadata: Object.fromEntries(part.map((text) => [text, text])) })
      expect(await search(naughty, { and: part.map((text) => ({ key: text, eq: text })) })).toHaveLength(1)
    }
  })
})

describe('moment_of', () => {
  it.each([
    ['2026-05-25', '2026-05-25T00:00:00.000Z'],
    ['2028-02-29T23:59:59.999+00:30', '2028-02-29T23:29:59.999Z'],
    ['1000-01-01', '1000-01-01T00:00:00.000Z'],
    ...[
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '0000-01-01',
      '2026-05-25T24:00Z',
      '2026-05-25 10:00',
      'infinity',
      '',
      '2026-05-25\n',
    ].map((text): [string, null] => [text, null]),
  ])('parses %j', async (text, moment) => {
    const { rows } = await database.pool.query<{ moment: Date | null }>('select moment_of($1) as moment', [text])
    expect(rows[0]?.moment?.toISOString() ?? null).toBe(moment)
  })
})
