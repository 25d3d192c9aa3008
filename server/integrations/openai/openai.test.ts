import OpenAI, { APIError, AuthenticationError, NotFoundError } from 'openai'
import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { createFixtures, unitEmbedder } from '../../testing/fixtures.ts'
import { upload } from '../../testing/sources.ts'

const { app, organization, database } = await testApp({ embedder: unitEmbedder })
await app.listen({ host: '127.0.0.1', port: 0 })

const clientOf = ({ token }: Pick<Caller, 'token'>): OpenAI =>
  new OpenAI({ apiKey: token, baseURL: `${app.listeningOrigin}/openai/v1`, maxRetries: 0 })

const failure = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  )

async function withSources(caller: Caller, count: number): Promise<{ kb: string; sources: string[] }> {
  const { body: base } = await caller.call('POST', '/v1/bases', { name: 'B', description: 'What guests ask' })
  const sources: string[] = []
  for (let index = 0; index < count; index += 1) {
    const source = { name: `S${index}`, type: 'url', url: 'https://example.com/', metadata: { index } }
    sources.push((await caller.call('POST', `/v1/bases/${base.id}/sources`, source)).body.id)
  }
  return { kb: base.id, sources }
}

const end = (sourceId: string | undefined, values: { status: string; error?: string; code?: string; bytes?: number }) =>
  database.pool.query('update source set status = $1, error = $2, error_code = $3, bytes = $4 where id = $5', [
    values.status,
    values.error ?? null,
    values.code ?? null,
    values.bytes ?? null,
    sourceId?.slice(-36),
  ])

describe('vectorStores.search', () => {
  it('finds passages', async () => {
    const caller = await organization()
    const { kb = '', src } = await createFixtures(caller)
    await caller.call('PATCH', `/v1/bases/${kb}/sources/${src}`, {
      metadata: { product: 'bicycle', size: 3, sold: true, tags: ['a', 'b'] },
    })
    const page = await clientOf(caller).vectorStores.search(kb, {
      query: 'opening hours',
      max_num_results: 5,
      ranking_options: { ranker: 'auto', score_threshold: 0.1 },
      rewrite_query: true,
    })
    expect(page.object).toBe('vector_store.search_results.page')
    expect(page.data).toMatchObject([
      {
        file_id: src,
        filename: 'S',
        score: expect.any(Number),
        attributes: { product: 'bicycle', size: 3, sold: true, tags: 'a, b' },
        content: [{ type: 'text', text: 'opening hours' }],
        chunk_id: expect.stringMatching(/^chk_/),
        url: 'https://example.com/',
      },
    ])
    expect(page.hasNextPage()).toBe(false)
  })

  it('joins several queries into one, and applies the score threshold', async () => {
    const caller = await organization()
    const { kb = '' } = await createFixtures(caller)
    const { vectorStores } = clientOf(caller)
    expect((await vectorStores.search(kb, { query: ['opening', 'hours'] })).data).toHaveLength(1)
    expect(await caller.call('POST', `/openai/v1/vector_stores/${kb}/search`, { query: ['opening', 'hours'] })).toMatchObject({
      status: 200,
      body: { search_query: ['opening\nhours'], has_more: false, next_page: null },
    })
    expect((await vectorStores.search(kb, { query: 'opening', ranking_options: { score_threshold: 1 } })).data).toEqual([])
  })

  it.each<[object, number]>([
    [{ type: 'eq', key: 'product', value: 'bicycle' }, 1],
    [{ type: 'ne', key: 'product', value: 'bicycle' }, 0],
    [{ type: 'in', key: 'product', value: ['car', 'bicycle'] }, 1],
    [{ type: 'nin', key: 'product', value: ['car', 'bicycle'] }, 0],
    [{ type: 'gte', key: 'size', value: 3 }, 1],
    [{ type: 'gt', key: 'size', value: 3 }, 0],
    [{ type: 'lt', key: 'size', value: 4 }, 1],
    [{ type: 'lte', key: 'size', value: 2 }, 0],
    [
      {
        type: 'and',
        filters: [
          { type: 'eq', key: 'size', value: 3 },
          { type: 'eq', key: 'product', value: 'car' },
        ],
      },
      0,
    ],
    [
      {
        type: 'or',
        filters: [
          { type: 'eq', key: 'size', value: 3 },
          { type: 'and', filters: [{ type: 'eq', key: 'product', value: 'car' }] },
        ],
      },
      1,
    ],
  ])('with the filters %j finds %i', async (filters, count) => {
    const caller = await organization()
    const { kb = '', src } = await createFixtures(caller)
    await caller.call('PATCH', `/v1/bases/${kb}/sources/${src}`, { metadata: { product: 'bicycle', size: 3 } })
    expect(
      (await clientOf(caller).vectorStores.search(kb, { query: 'hours', filters: filters as OpenAI.ComparisonFilter })).data,
    ).toHaveLength(count)
  })

  it.each([
    [{ type: 'like', key: 'product', value: 'b' }, 'filters.type'],
    [{ type: 'and', filters: [] }, 'filters.filters'],
    [{ type: 'gt', key: 'product', value: 'bicycle' }, 'filters'],
    ['['.repeat(3), 'filters'],
    [
      Array.from({ length: 40 }).reduce<object>((inner) => ({ type: 'and', filters: [inner] }), { type: 'eq', key: 'a', value: 1 }),
      'filters',
    ],
  ])('refuses the filters %.60j', async (filters, param) => {
    const caller = await organization()
    const { kb } = await createFixtures(caller)
    expect(await caller.call('POST', `/openai/v1/vector_stores/${kb}/search`, { query: 'x', filters })).toMatchObject({
      status: 400,
      body: { error: { param } },
    })
  })

  it.each<[object, string]>([
    [{}, 'query'],
    [{ query: '' }, 'query'],
    [{ query: ['x'.repeat(3000), 'y'.repeat(3000)] }, 'query'],
    [{ query: 'x', max_num_results: 51 }, 'max_num_results'],
    [{ query: 'x', ranking_options: { score_threshold: 2 } }, 'ranking_options.score_threshold'],
    [{ query: 'x', max_results: 3 }, 'max_results'],
  ])('%.60j is refused with 400 and the name of the field', async (body, param) => {
    const caller = await organization()
    const { kb = '' } = await createFixtures(caller)
    const error = await failure(clientOf(caller).vectorStores.search(kb, body as { query: string }))
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'validation_error',
      param,
      requestID: expect.stringMatching(/^req_/),
    })
  })
})

describe('vectorStores.list', () => {
  it('pages through all knowledge bases, newest or oldest first', async () => {
    const caller = await organization()
    for (const name of ['A', 'B', 'C', 'D', 'E']) await caller.call('POST', '/v1/bases', { name })
    const { vectorStores } = clientOf(caller)
    const names = async (query: Parameters<typeof vectorStores.list>[0]): Promise<string[]> => {
      const all = []
      for await (const store of vectorStores.list(query)) all.push(store.name)
      return all
    }
    expect(await names({})).toEqual(['E', 'D', 'C', 'B', 'A'])
    expect(await names({ limit: 2 })).toEqual(['E', 'D', 'C', 'B', 'A'])
    expect(await names({ limit: 2, order: 'asc' })).toEqual(['A', 'B', 'C', 'D', 'E'])
    const { data, has_more } = await vectorStores.list({ limit: 3 })
    expect([data.map(({ name }) => name), has_more]).toEqual([['E', 'D', 'C'], true])
    const before = await vectorStores.list({ limit: 1, before: data[2]?.id ?? '' })
    expect([before.data.map(({ name }) => name), before.has_more]).toEqual([['D'], true])
    expect(await failure(vectorStores.list({ after: 'nonsense' }))).toMatchObject({ status: 400, param: 'after' })
  })
})

describe('vectorStores.retrieve', () => {
  it('counts files by their status', async () => {
    const caller = await organization()
    const { kb, sources } = await withSources(caller, 5)
    await end(sources[0], { status: 'completed', bytes: 700 })
    await end(sources[1], { status: 'completed', bytes: 300 })
    await end(sources[2], { status: 'failed', error: 'Nothing', code: 'empty_content' })
    await end(sources[3], { status: 'failed', error: 'Stopped', code: 'cancelled' })
    const store = await clientOf(caller).vectorStores.retrieve(kb)
    expect(store).toMatchObject({
      id: kb,
      object: 'vector_store',
      name: 'B',
      usage_bytes: 1000,
      file_counts: { in_progress: 1, completed: 2, failed: 1, cancelled: 1, total: 5 },
      status: 'in_progress',
      expires_at: null,
    })
    expect(Math.abs(store.created_at - Date.now() / 1000)).toBeLessThan(600)
  })
})

describe('vectorStores.files.list', () => {
  it('pages through all sources, or those with a status', async () => {
    const caller = await organization()
    const { kb, sources } = await withSources(caller, 4)
    await end(sources[0], { status: 'completed', bytes: 700 })
    await end(sources[1], { status: 'failed', error: 'Nothing in it', code: 'empty_content' })
    await end(sources[2], { status: 'failed', error: 'Stopped', code: 'cancelled' })
    const { files } = clientOf(caller).vectorStores
    const all = []
    for await (const file of files.list(kb, { limit: 3 })) all.push(file)
    expect(all.map(({ id, status }) => [id, status])).toEqual([
      [sources[3], 'in_progress'],
      [sources[2], 'cancelled'],
      [sources[1], 'failed'],
      [sources[0], 'completed'],
    ])
    expect(all[3]).toMatchObject({
      object: 'vector_store.file',
      vector_store_id: kb,
      usage_bytes: 700,
      last_error: null,
      attributes: { index: 0 },
    })
    expect(all[2]).toMatchObject({ last_error: { code: 'invalid_file', message: 'Nothing in it' } })
    expect((await files.list(kb, { filter: 'cancelled' })).data.map(({ id }) => id)).toEqual([sources[2]])
  })
})

describe('a failure', () => {
  it('becomes the matching error class of the client', async () => {
    const caller = await organization()
    expect(await failure(clientOf({ token: 'nonsense' }).vectorStores.list())).toBeInstanceOf(AuthenticationError)
    expect(await failure(clientOf({ token: 'nonsense' }).vectorStores.list())).toMatchObject({ code: 'invalid_api_key' })
    for (const id of [`kb_${newId()}`, 'vs_1']) {
      expect(await failure(clientOf(caller).vectorStores.retrieve(id))).toBeInstanceOf(NotFoundError)
      expect(await failure(clientOf(caller).vectorStores.files.list(id))).toBeInstanceOf(NotFoundError)
      expect(await failure(clientOf(caller).vectorStores.search(id, { query: 'x' }))).toBeInstanceOf(NotFoundError)
    }
  })
})

describe('files.retrieve', () => {
  it('returns a source as a file', async () => {
    const caller = await organization()
    const { sources } = await withSources(caller, 3)
    await end(sources[0], { status: 'completed', bytes: 700 })
    await end(sources[1], { status: 'failed', error: 'The document is empty.', code: 'empty_content' })
    const { files } = clientOf(caller)
    const file = await files.retrieve(sources[0] ?? '')
    expect(file).toMatchObject({ id: sources[0], object: 'file', bytes: 700, filename: 'S0', purpose: 'assistants', status: 'processed' })
    expect(Math.abs(file.created_at - Date.now() / 1000)).toBeLessThan(600)
    expect(await files.retrieve(sources[1] ?? '')).toMatchObject({ status: 'error', status_details: 'The document is empty.' })
    expect(await files.retrieve(sources[2] ?? '')).toMatchObject({ status: 'uploaded', bytes: 0 })
  })

  it('finds no file of another organization, of another knowledge base, or with an invalid id', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const { sources } = await withSources(owner, 1)
    const { kb: other } = await withSources(owner, 0)
    const limited = (await owner.call('POST', '/v1/tokens', { name: 'L', scopes: ['sources:read'], baseIds: [other] })).body
    for (const [caller, id] of [
      [stranger, sources[0]],
      [limited, sources[0]],
      [owner, `src_${newId()}`],
      [owner, 'file-1'],
    ] as const) {
      expect(await failure(clientOf(caller).files.retrieve(id ?? ''))).toBeInstanceOf(NotFoundError)
      expect(await failure(clientOf(caller).files.content(id ?? ''))).toBeInstanceOf(NotFoundError)
    }
  })
})

describe('files.content', () => {
  it('returns the bytes of an upload as an attachment, whole or in part', async () => {
    const caller = await organization()
    const { kb } = await withSources(caller, 0)
    const storageUrl = await upload(app, caller, Buffer.from('The desk opens at nine.'), 'hours.txt')
    const { body } = await caller.call('POST', `/v1/bases/${kb}/sources`, { name: 'Hours', type: 'file', storageUrl })
    const { files } = clientOf(caller)
    expect(await files.retrieve(body.id)).toMatchObject({ filename: 'hours.txt', bytes: 23 })
    const whole = await files.content(body.id)
    expect([whole.status, await whole.text()]).toEqual([200, 'The desk opens at nine.'])
    expect(whole.headers.get('content-disposition')).toContain('attachment; filename="hours.txt"')
    const part = await files.content(body.id, { headers: { range: 'bytes=4-7' } })
    expect([part.status, await part.text()]).toEqual([206, 'desk'])
    expect(await failure(files.content(body.id, { headers: { range: 'bytes=99-' } }))).toMatchObject({ status: 416 })
  })

  it('finds nothing before a page was fetched', async () => {
    const caller = await organization()
    const { sources } = await withSources(caller, 1)
    expect(await failure(clientOf(caller).files.content(sources[0] ?? ''))).toBeInstanceOf(NotFoundError)
  })
})
