import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { newBase } from '../../testing/sources.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { createScopeCache, type BaseScope } from '../index/search-scope.ts'

const { organization } = await testApp({ embedder: unitEmbedder })
const caller = await organization()

const asking = ({ call }: Caller, base: string, body: object) => call('POST', `/v1/bases/${base}/search`, { query: 'plum', ...body })
const found = async (base: string, body: object = {}): Promise<string[]> =>
  (await asking(caller, base, body)).body.data.map(({ text }: { text: string }) => text)

/** Asked before, so that it is remembered. */
async function searched(body: object, ragSettings: object = {}) {
  const base = await newBase(caller, ragSettings)
  const red = await addPassages(caller, base, ['a red plum'], { metadata: { colour: 'red' } })
  await addPassages(caller, base, ['a blue plum'], { metadata: { colour: 'blue' } })
  const before = await found(base, body)
  expect(await found(base, body)).toEqual(before)
  const change = (method: string, path: string, to?: object) => caller.call(method, `/v1/bases/${base}${path}`, to)
  return { base, red, before, change }
}

describe('a repeated search', () => {
  it('uses the current metadata of sources', async () => {
    const filter = { filter: { key: 'colour', eq: 'red' } }
    const { base, red, before, change } = await searched(filter)
    expect(before).toEqual(['a red plum'])
    await change('PATCH', `/sources/${red}`, { metadata: { colour: 'green' } })
    expect(await found(base, filter)).toEqual([])
    await change('PATCH', `/sources/${red}`, { metadata: { colour: 'red' } })
    expect(await found(base, filter)).toEqual(['a red plum'])
  })

  it('uses the current settings of the knowledge base', async () => {
    const { base, before, change } = await searched({})
    expect(before).toHaveLength(2)
    await change('PATCH', '', { ragSettings: { topK: 1 } })
    expect(await found(base)).toHaveLength(1)
    await change('PATCH', '', { ragSettings: { topK: 10, similarityThreshold: 1 } })
    expect(await found(base)).toEqual([])
  })

  it('finds added sources, and no disabled or deleted ones', async () => {
    const { base, red, change } = await searched({})
    await addPassages(caller, base, ['a plum of today'])
    expect(await found(base)).toHaveLength(3)
    await change('PATCH', `/sources/${red}`, { enabled: false })
    expect((await found(base)).toSorted()).toEqual(['a blue plum', 'a plum of today'])
    await change('DELETE', `/sources/${red}`)
    expect(await found(base)).toHaveLength(2)
  })

  it('is refused for a deleted knowledge base, and to tokens without access', async () => {
    const { base, change } = await searched({})
    const hidden = await newBase(caller)
    const { body: limited } = await caller.call('POST', '/v1/tokens', { name: 'limited', scopes: ['search:read'], baseIds: [hidden] })
    const asLimited = await caller.call('POST', `/v1/bases/${base}/search`, { query: 'plum' }, { authorization: `Bearer ${limited.token}` })
    expect([asLimited.status, asLimited.body.error.code]).toEqual([404, 'not_found'])
    expect((await asking(await organization(), base, {})).status).toBe(404)
    expect(await found(base)).toHaveLength(2)
    await change('DELETE', '')
    expect((await asking(caller, base, {})).status).toBe(404)
    expect((await asking(caller, base, {})).status).toBe(404)
  })
})

describe('a shared read of a scope', () => {
  it('begins after the calls that share it', async () => {
    const cache = createScopeCache()
    const reads: { resolve: (scope: BaseScope[]) => void; reject: (error: Error) => void }[] = []
    const read = (baseIds: readonly string[] | null = null) => {
      const ctx = { organizationId: 'one', ...(baseIds && { actor: limitedTo(baseIds) }) }
      return cache.readShared(ctx, ['base'], {}, () => new Promise<BaseScope[]>((resolve, reject) => reads.push({ resolve, reject })))
    }
    const calls = [read(), read(), read()]
    expect(reads).toHaveLength(1)
    read(['base']).catch(() => undefined)
    expect(reads).toHaveLength(2)
    reads[0]?.reject(new Error('no connection'))
    await expect(calls[0]).rejects.toThrow('no connection')
    await expect.poll(() => reads.length).toBe(3)
    const later = read()
    reads[2]?.resolve([])
    expect(await Promise.all(calls.slice(1))).toEqual([[], []])
    await expect.poll(() => reads.length).toBe(4)
    reads[3]?.resolve([])
    expect(await later).toEqual([])
    const again = read()
    expect(reads).toHaveLength(5)
    reads[4]?.resolve([])
    await again
  })
})

const limitedTo = (baseIds: readonly string[]) => ({
  kind: 'token' as const,
  tokenId: 'limited',
  address: '',
  requestId: '',
  scopes: [],
  baseIds,
})
