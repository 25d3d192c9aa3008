import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'

let aheadMs = 0
const { organization } = await testApp({ now: () => new Date(Date.now() + aheadMs) })
const { call } = await organization()
const create = async (body: object): Promise<{ id: string }> => (await call('POST', '/v1/bases', body)).body

describe('bases', () => {
  it('are created with the documented defaults', async () => {
    const { status, body } = await call('POST', '/v1/bases', { name: 'Handbook' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^kb_[0-9a-f-]{36}$/),
      name: 'Handbook',
      description: '',
      starred: false,
      ragSettings: {
        chunkingStrategy: 'semantic',
        chunkSize: 512,
        chunkOverlap: 64,
        topK: 10,
        similarityThreshold: 0,
        hybridSearch: true,
        rerank: false,
      },
      language: null,
      retrievalLog: { enabled: true, days: 30 },
      reindexing: null,
      warnings: [],
      stats: { sources: 0, processing: 0, failed: 0, chunks: 0, bytes: 0, lastUpdatedAt: body.createdAt },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
    })
  })

  it.each(['prefixed', 'bare', 'upper case'])('are found by their id, %s', async (form) => {
    const { id } = await create({ name: 'X' })
    const asked = { prefixed: id, bare: id.slice(3), 'upper case': id.slice(3).toUpperCase() }[form]
    expect(await call('GET', `/v1/bases/${asked}`)).toMatchObject({ status: 200, body: { id } })
  })

  it.each(['src_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', 'kb_1', 'nonsense', '%00', '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'])(
    'are not found as %s',
    async (id) => {
      expect(await call('GET', `/v1/bases/${id}`)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    },
  )

  it('are listed newest first, page by page', async () => {
    const { call: own } = await organization()
    const made: string[] = []
    for (let n = 0; n < 7; n += 1) made.unshift((await own('POST', '/v1/bases', { name: `${n}` })).body.id)
    const first = await own('GET', '/v1/bases?limit=4')
    const second = await own('GET', `/v1/bases?limit=4&cursor=${first.body.nextCursor}`)
    expect([...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)).toEqual(made)
    expect(second.body.nextCursor).toBeNull()
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=zz', 'page=2']) {
      expect(await own('GET', `/v1/bases?${query}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', field: query.split('=')[0] } },
      })
    }
  })

  it('are found by a text in the name or the description, in any case', async () => {
    const { call: own } = await organization()
    for (const [name, description] of [
      ['Price LIST', ''],
      ['Manuals', 'with 100% of the price list'],
      ['Manuals', 'with 1000 pages'],
    ]) {
      await own('POST', '/v1/bases', { name, description })
    }
    const found = async (q: string): Promise<string[]> =>
      (await own('GET', `/v1/bases?q=${encodeURIComponent(q)}`)).body.data.map((base: { name: string }) => base.name)
    expect(await found('price List')).toEqual(['Manuals', 'Price LIST'])
    expect(await found('100%')).toEqual(['Manuals'])
    expect(await found('nothing')).toEqual([])
    const page = await own('GET', '/v1/bases?q=manuals&limit=1')
    const rest = await own('GET', `/v1/bases?q=manuals&limit=1&cursor=${page.body.nextCursor}`)
    expect([page.body.data.length, rest.body.data.length, rest.body.nextCursor]).toEqual([1, 1, null])
    expect((await own('GET', '/v1/bases?q=')).status).toBe(400)
  })

  it('are changed field by field', async () => {
    const { id } = await create({ name: 'Before', description: 'kept', ragSettings: { topK: 3 } })
    const { status, body } = await call('PATCH', `/v1/bases/${id}`, {
      name: 'After',
      starred: true,
      ragSettings: { similarityThreshold: 0.2 },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'After',
      description: 'kept',
      starred: true,
      ragSettings: { topK: 3, similarityThreshold: 0.2, chunkSize: 512 },
    })
  })

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: 'x', unknown: 1 }, 'unknown'],
    [{ name: 'x', ragSettings: { topK: 0 } }, 'ragSettings.topK'],
    [{ name: 'x', ragSettings: { topK: 101 } }, 'ragSettings.topK'],
    [{ name: 'x', ragSettings: { chunkSize: 63 } }, 'ragSettings.chunkSize'],
    [{ name: 'x', ragSettings: { similarityThreshold: 1.1 } }, 'ragSettings.similarityThreshold'],
    [{ name: 'x', ragSettings: { chunkingStrategy: 'random' } }, 'ragSettings.chunkingStrategy'],
    [{ name: 'x', ragSettings: { chunkSize: 100, chunkOverlap: 50 } }, 'ragSettings.chunkOverlap'],
    [{ name: 'x', ragSettings: { topk: 5 } }, 'ragSettings.topk'],
  ])('refuse %j, naming the field', async (body, field) => {
    expect(await call('POST', '/v1/bases', body)).toMatchObject({ status: 422, body: { error: { code: 'validation_error', field } } })
  })

  it('let the overlap follow a smaller chunk size', async () => {
    const base = await create({ name: 'x', ragSettings: { chunkSize: 100 } })
    expect(base).toMatchObject({ ragSettings: { chunkSize: 100, chunkOverlap: 12 } })
  })

  it('are deleted with all their content', async () => {
    const { id } = await create({ name: 'x' })
    const source = await call('POST', `/v1/bases/${id}/sources`, { name: 's', type: 'url', url: 'https://example.com/' })
    expect((await call('DELETE', `/v1/bases/${id}`)).status).toBe(204)
    expect((await call('GET', `/v1/bases/${id}`)).status).toBe(404)
    expect((await call('GET', `/v1/bases/${id}/sources/${source.body.id}`)).status).toBe(404)
    expect((await call('POST', `/v1/bases/${id}/search`, { query: 'x' })).status).toBe(404)
    expect((await call('DELETE', `/v1/bases/${id}`)).status).toBe(404)
  })

  it('have an updatedAt that neither a deleted source nor a clock moves back', async () => {
    const { id } = await create({ name: 'x' })
    const sources = `/v1/bases/${id}/sources`
    const source = { name: 's', type: 'url', url: 'https://example.com/' }
    const last = async (): Promise<number> => Date.parse((await call('GET', `/v1/bases/${id}`)).body.stats.lastUpdatedAt)
    const add = async (): Promise<string> => `${sources}/${(await call('POST', sources, source)).body.id}`
    try {
      const older = await add()
      aheadMs += 60_000
      const newest = await add()
      const times = [await last()]
      aheadMs += 60_000
      await call('DELETE', newest)
      times.push(await last())
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(60_000)
      aheadMs -= 3_600_000
      for (const change of [
        () => call('PATCH', older, { name: 't' }),
        () => call('PATCH', `/v1/bases/${id}`, { name: 'y' }),
        () => call('DELETE', older),
        () => call('POST', sources, source),
      ]) {
        expect((await change()).status).toBeLessThan(300)
        times.push(await last())
      }
      expect(times.slice(1)).toEqual(times.slice(1).map(() => times[1]))
    } finally {
      aheadMs = 0
    }
  })

  it('delete sources concurrently without a deadlock', async () => {
    const { id } = await create({ name: 'x' })
    const sources = `/v1/bases/${id}/sources`
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) => call('POST', sources, { name: `${n}`, type: 'url', url: 'https://example.com/' })),
    )
    const gone = await Promise.all(made.map(({ body }) => call('DELETE', `${sources}/${body.id}`)))
    expect(gone.map(({ status }) => status)).toEqual(gone.map(() => 204))
  })

  it('require the right scope', async () => {
    const reader = await organization({ scopes: ['bases:read'] })
    expect((await reader.call('GET', '/v1/bases')).status).toBe(200)
    expect(await reader.call('POST', '/v1/bases', { name: 'x' })).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })
})
