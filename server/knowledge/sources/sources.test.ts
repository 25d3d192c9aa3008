import { beforeAll, describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../../testing/app.ts'
import { refusedUrls } from '../../testing/hostile-values.ts'

const { app, organization } = await testApp()
const owner = await organization()
const { call } = owner
const baseOf = async (caller: Caller): Promise<string> => (await caller.call('POST', '/v1/bases', { name: 'B' })).body.id
const base = await baseOf(owner)
const page = { name: 'Page', type: 'url', url: 'https://example.com/a' }

async function upload(caller: Caller, bytes = Buffer.from('hello'), sizeBytes = bytes.length) {
  const { body } = await caller.call('POST', '/v1/uploads', { fileName: 'a.txt', contentType: 'text/plain', sizeBytes })
  const sent = await app.inject({ method: 'PUT', url: new URL(body.uploadUrl).pathname, headers: body.headers, payload: bytes })
  return { ...body, sent }
}

describe('POST of a source', () => {
  it('answers 201 with a processing source', async () => {
    const { status, body } = await call('POST', `/v1/bases/${base}/sources`, { ...page, metadata: { product: 'x', year: 2026 } })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^src_[0-9a-f-]{36}$/),
      baseId: base,
      name: 'Page',
      type: 'url',
      url: 'https://example.com/a',
      status: 'processing',
      stage: 'queued',
      chunksCount: 0,
      error: null,
      errorCode: null,
      metadata: { product: 'x', year: 2026 },
    })
    expect(await call('GET', `/v1/bases/${base}/sources/${body.id}`)).toMatchObject({ status: 200, body })
  })

  it.each([
    [{ type: 'url', url: 'https://example.com' }, 'name'],
    [{ name: 'x', type: 'carrier pigeon', url: 'https://example.com' }, 'type'],
    [{ name: 'x', type: 'url' }, 'url'],
    [{ name: 'x', type: 'youtube' }, 'url'],
    [{ name: 'x', type: 'scrape' }, 'url'],
    [{ name: 'x', type: 'file' }, 'storageUrl'],
    [{ name: 'x', type: 'file', storageUrl: 'groundwork://uploads/upl_1' }, 'storageUrl'],
    [{ name: 'x', type: 'file', storageUrl: 'https://elsewhere.example/file' }, 'storageUrl'],
    [{ name: 'x', type: 'url', url: 'ftp://example.com/x' }, 'url'],
    [{ name: 'x', type: 'url', url: 'file:///etc/passwd' }, 'url'],
    [{ name: 'x', type: 'url', url: 'https://user:secret@example.com/' }, 'url'],
    [{ name: 'x', type: 'url', url: 'not an address' }, 'url'],
    [{ ...page, ragSettingsOverride: { topK: 3 } }, 'ragSettingsOverride.topK'],
    [{ ...page, ragSettingsOverride: { chunkSize: 70, chunkOverlap: 35 } }, 'ragSettingsOverride.chunkOverlap'],
    [{ ...page, urls: 'https://example.com' }, 'urls'],
    [{ ...page, storageUrl: 'groundwork://uploads/upl_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8' }, 'storageUrl'],
  ])('refuses %j, naming the field', async (body, field) => {
    expect(await call('POST', `/v1/bases/${base}/sources`, body)).toMatchObject({
      status: 422,
      body: { error: { code: 'validation_error', field } },
    })
  })

  const privateUrls = [
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[fd00::1]/',
    'http://167772161/',
    'http://0x0a000001/',
    'http://012.0.0.1/',
    'http://10.1/',
    'http://0/',
    'http://１０.0.0.1/',
    'http://printer.localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'https://example.com:22/',
  ]

  it.each(privateUrls)('refuses the private address %s for a page and a site', async (url) => {
    const refused = { status: 422, body: { error: { code: 'validation_error', field: 'url' } } }
    const { body: source } = await call('POST', `/v1/bases/${base}/sources`, page)
    expect(await call('POST', `/v1/bases/${base}/sources`, { ...page, url })).toMatchObject(refused)
    expect(await call('POST', `/v1/bases/${base}/sources`, { ...page, url, type: 'scrape' })).toMatchObject(refused)
    expect(await call('POST', `/v1/bases/${base}/sources/upsert`, { ...page, url, externalId: url })).toMatchObject(refused)
    expect(await call('POST', `/v1/bases/${base}/sources/${source.id}/replace`, { url })).toMatchObject(refused)
    expect(await call('POST', `/v1/bases/${base}/preview`, { url })).toMatchObject(refused)
  })

  it('accepts a private address that FETCH_ALLOW_HOSTS allows', async () => {
    for (const url of ['http://127.0.0.1:9/', 'http://2130706433/'])
      expect((await call('POST', `/v1/bases/${base}/sources`, { ...page, url })).status).toBe(201)
  })

  it('refuses private addresses, except names and allowed hosts', async () => {
    const taken: string[] = []
    for (const { url } of refusedUrls) {
      const named =
        URL.canParse(url) && /^(127\.0\.0\.1\.nip\.io|youtube\.com\.evil\.example|example\.com|127\.0\.0\.1)$/.test(new URL(url).hostname)
      if (!named && (await call('POST', `/v1/bases/${base}/sources`, { ...page, url })).status !== 422) taken.push(url)
    }
    expect(taken).toEqual([])
  })

  it('answers 404 for an unknown knowledge base', async () => {
    expect((await call('POST', '/v1/bases/0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8/sources', page)).status).toBe(404)
  })
})

describe('uploads', () => {
  it('accept the announced bytes, and can become a source', async () => {
    const { sent, storageUrl } = await upload(owner)
    expect(sent.statusCode).toBe(204)
    const added = await call('POST', `/v1/bases/${base}/sources`, { name: 'f', type: 'file', storageUrl })
    expect(added).toMatchObject({ status: 201, body: { type: 'file', storageUrl, bytes: 5 } })
    expect(added.body).not.toHaveProperty('url')
  })

  it('are refused with more or fewer bytes than announced', async () => {
    for (const announced of [4, 6]) {
      const { sent, storageUrl } = await upload(owner, Buffer.from('hello'), announced)
      expect(sent.statusCode).toBe(400)
      expect(sent.json()).toMatchObject({ error: { code: 'bad_request', field: 'sizeBytes' } })
      expect(await call('POST', `/v1/bases/${base}/sources`, { name: 'f', type: 'file', storageUrl })).toMatchObject({
        status: 422,
        body: { error: { field: 'storageUrl' } },
      })
    }
  })

  it('cannot be changed once a source uses them', async () => {
    const made = await upload(owner)
    await call('POST', `/v1/bases/${base}/sources`, { name: 'f', type: 'file', storageUrl: made.storageUrl })
    const again = await app.inject({ method: 'PUT', url: new URL(made.uploadUrl).pathname, payload: Buffer.from('other') })
    expect(again.statusCode).toBe(409)
  })

  it('have URLs that cannot be forged or altered', async () => {
    const { uploadUrl } = await upload(owner)
    const path = new URL(uploadUrl).pathname
    for (const wrong of [path.slice(0, -1), `${path}x`, '/v1/uploads/x', '/v1/uploads/x.y', path.replace('/uploads/', '/uploads/A')]) {
      expect((await app.inject({ method: 'PUT', url: wrong, payload: Buffer.from('hello') })).statusCode).toBe(404)
    }
  })

  it('of another organization are not accepted', async () => {
    const { storageUrl } = await upload(await organization())
    expect(await call('POST', `/v1/bases/${base}/sources`, { name: 'f', type: 'file', storageUrl })).toMatchObject({
      status: 422,
      body: { error: { field: 'storageUrl' } },
    })
  })

  it.each([
    [{ fileName: 'a', sizeBytes: -1 }, 'sizeBytes'],
    [{ fileName: 'a', sizeBytes: 1e12 }, 'sizeBytes'],
    [{ sizeBytes: 1 }, 'fileName'],
    [{ fileName: 'a', sizeBytes: 1, contentType: 'nonsense' }, 'contentType'],
  ])('refuse %j', async (body, field) => {
    expect(await call('POST', '/v1/uploads', body)).toMatchObject({ status: 422, body: { error: { field } } })
  })
})

describe('the list of sources', () => {
  it('is newest first, paged, and filtered by status, type, text and content', async () => {
    const caller = await organization()
    const own = await baseOf(caller)
    const made: string[] = []
    for (let n = 0; n < 5; n += 1) {
      const source = { name: `${n}`, type: n % 2 === 0 ? 'url' : 'scrape', url: 'https://example.com/' }
      made.unshift((await caller.call('POST', `/v1/bases/${own}/sources`, source)).body.id)
    }
    const list = async (query: string) => (await caller.call('GET', `/v1/bases/${own}/sources?${query}`)).body
    const first = await list('limit=3')
    const second = await list(`limit=3&cursor=${first.nextCursor}`)
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(made)
    expect(second.nextCursor).toBeNull()
    expect((await list('type=scrape')).data).toHaveLength(2)
    expect((await list('status=processing')).data).toHaveLength(5)
    expect((await list('status=failed')).data).toEqual([])
    await caller.call('POST', `/v1/bases/${own}/sources`, { name: 'Prices 50%_off', type: 'url', url: 'https://example.com/Sale.html' })
    const named = async (q: string) => (await list(`q=${encodeURIComponent(q)}`)).data.map(({ name }: { name: string }) => name)
    expect(await named('prices')).toEqual(['Prices 50%_off'])
    expect(await named('SALE.html')).toEqual(['Prices 50%_off'])
    expect(await named('0%_o')).toEqual(['Prices 50%_off'])
    expect(await named('p_ices')).toEqual([])
    expect((await list('q=example&type=scrape')).data).toHaveLength(2)
    const hash = 'ab'.repeat(32)
    await caller.ctx.db.pool.query('update source set content_hash = $1 where id = $2', [hash, made[1]?.slice(-36)])
    expect((await list(`contentHash=${hash}`)).data.map(({ id }: { id: string }) => id)).toEqual([made[1]])
    for (const query of ['q=', 'contentHash=AB', 'status=done', 'type=ftp', 'limit=101', 'cursor=x', 'staus=failed']) {
      expect(await caller.call('GET', `/v1/bases/${own}/sources?${query}`)).toMatchObject({
        status: 400,
        body: { error: { field: query.split('=')[0] } },
      })
    }
  })

  describe('sort', () => {
    // Name, URL, title, bytes, chunks, status.
    const rows = [
      ['Zebra', null, null, 500, 3, 'completed'],
      ['ärmel', null, 'Aaa', 20, 3, 'failed'],
      ['Armband', null, null, null, 0, 'processing'],
      ['example.com/list', 'https://www.example.com/list/', 'Bicycles', 7, 12, 'completed'],
      ['example.com/other', 'https://example.com/other', null, 7, 1, 'failed'],
      ['Named', 'https://example.com/named', 'Aaa', null, 40, 'completed'],
      ['\u{1F6B2}'.repeat(100), null, null, 3_000_000_000, 2, 'completed'],
    ] as const
    let own: string
    let caller: Caller

    beforeAll(async () => {
      caller = await organization()
      own = await baseOf(caller)
      const { organizationId, ctx } = caller
      for (const [index, [name, url, title, bytes, chunks, status]] of rows.entries()) {
        await ctx.db.pool.query(
          `insert into source (organization_id, id, base_id, name, type, url, title, bytes, chunks_count, status, stage, created_at, updated_at)
           values ($1, gen_random_uuid(), $2, $3, 'url', $4, $5, $6, $7, $8, 'done', $9, $10)`,
          [
            organizationId,
            own.slice(-36),
            name,
            url,
            title,
            bytes,
            chunks,
            status,
            `2026-01-01T00:00:00.00${index}Z`,
            `2026-01-0${1 + ((index * 3) % 7)}T00:00:00.000001Z`,
          ],
        )
      }
    })

    const list = (query: string) => caller.call('GET', `/v1/bases/${own}/sources?${query}`)

    /** Returns the positions in `rows`, over pages of this size. */
    async function positions(sort: string, limit: number): Promise<string> {
      const seen: string[] = []
      let cursor = ''
      do {
        const { data, nextCursor } = (await list(`sort=${sort}&limit=${limit}${cursor}`)).body
        seen.push(...data.map(({ name }: { name: string }) => rows.findIndex((row) => row[0] === name)))
        cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`
      } while (cursor !== '')
      return seen.join('')
    }

    it.each([
      ['createdAt', '0123456', []],
      ['updatedAt', '0531642', []],
      ['name', '2134506', []],
      ['bytes', '2534106', ['25', '34']],
      ['chunksCount', '2460135', ['01']],
      ['status', '1420356', ['14', '0356']],
    ])('%s returns every source once, over pages of any size', async (sort, expected, ties) => {
      const withoutTies = (order: string): string =>
        ties.reduce((text, tie) => text.replace(new RegExp(`[${tie}]{${tie.length}}`), tie), order)
      const pages = [await positions(sort, 1), await positions(sort, 3), await positions(sort, 100)]
      expect(new Set(pages).size).toBe(1)
      expect(withoutTies(pages[0] ?? '')).toBe(expected)
      const reversed = [...(pages[0] ?? '')].toReversed().join('')
      for (const limit of [2, 100]) expect(await positions(`-${sort}`, limit)).toBe(reversed)
    })

    it('combines with the filters', async () => {
      const named = async (query: string) => (await list(query)).body.data.map(({ name }: { name: string }) => name)
      expect(await named('sort=-bytes&status=failed')).toEqual(['ärmel', 'example.com/other'])
      expect(await named('sort=name&q=EXAMPLE')).toEqual(['example.com/list', 'example.com/other', 'Named'])
    })

    it('refuses other values, and cursors of another order', async () => {
      const { nextCursor } = (await list('sort=bytes&limit=1')).body
      const newest = (await list('limit=1')).body.nextCursor
      const forged = Buffer.from(JSON.stringify(['bytes', '1 or true', own])).toString('base64url')
      for (const query of [
        `sort=-bytes&cursor=${nextCursor}`,
        `cursor=${nextCursor}`,
        `sort=bytes&cursor=${newest}`,
        `sort=bytes&cursor=${forged}`,
      ])
        expect(await list(query)).toMatchObject({ status: 400, body: { error: { field: 'cursor' } } })
      expect(await list('sort=size')).toMatchObject({ status: 400, body: { error: { field: 'sort' } } })
    })
  })

  it('answers 404 for an unknown knowledge base', async () => {
    expect((await call('GET', '/v1/bases/0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8/sources')).status).toBe(404)
  })
})

describe('the sources of all knowledge bases', () => {
  it('are newest first, paged, found by text, and only those of the organization and of the knowledge bases of the token', async () => {
    const [mine, other] = [await organization(), await organization()]
    const bases = [await baseOf(mine), await baseOf(mine)]
    const foreign = await baseOf(other)
    await other.call('POST', `/v1/bases/${foreign}/sources`, { ...page, name: 'Price list' })
    const ids: string[] = []
    for (const [at, name] of ['Price list', 'Menu', 'Prices of 2026'].entries()) {
      ids.unshift((await mine.call('POST', `/v1/bases/${bases[at % 2]}/sources`, { ...page, name })).body.id)
    }
    const found = async (query: string, headers?: Record<string, string>): Promise<string[]> =>
      (await mine.call('GET', `/v1/sources${query}`, undefined, headers)).body.data.map(({ id }: { id: string }) => id)
    expect(await found('')).toEqual(ids)
    expect(await found('?q=price')).toEqual([ids[0], ids[2]])
    expect(await found('?q=100%25')).toEqual([])
    const first = (await mine.call('GET', '/v1/sources?limit=2')).body
    expect(await found(`?cursor=${first.nextCursor}`)).toEqual([ids[2]])
    const limited = await mine.call('POST', '/v1/tokens', { name: 'Limited', scopes: ['sources:read'], baseIds: [bases[1]] })
    expect(await found('?q=e', { authorization: `Bearer ${limited.body.token}` })).toEqual([ids[1]])
    expect(await mine.call('GET', '/v1/sources?cursor=x')).toMatchObject({ status: 400, body: { error: { field: 'cursor' } } })
  })
})

describe('one source', () => {
  it('is not found in another knowledge base', async () => {
    const { body } = await call('POST', `/v1/bases/${base}/sources`, page)
    const other = await baseOf(owner)
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/retry'],
    ] as const) {
      expect((await call(method, `/v1/bases/${other}/sources/${body.id}${suffix}`)).status).toBe(404)
    }
    expect((await call('GET', `/v1/bases/${base}/sources/${body.id.slice(4)}`)).status).toBe(200)
  })

  it('is deleted once', async () => {
    const { body } = await call('POST', `/v1/bases/${base}/sources`, page)
    const deleted = await call('DELETE', `/v1/bases/${base}/sources/${body.id}`)
    expect([deleted.status, deleted.body]).toEqual([204, undefined])
    expect((await call('GET', `/v1/bases/${base}/sources/${body.id}`)).status).toBe(404)
    expect((await call('DELETE', `/v1/bases/${base}/sources/${body.id}`)).status).toBe(404)
  })

  it('cannot be retried while it is processed', async () => {
    const { body } = await call('POST', `/v1/bases/${base}/sources`, page)
    expect(await call('POST', `/v1/bases/${base}/sources/${body.id}/retry`)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    })
  })
})

describe('scopes', () => {
  it('do not let a reader write or a searcher read', async () => {
    const reader = await organization({ scopes: ['bases:write', 'sources:read'] })
    const own = await baseOf(reader)
    expect((await reader.call('GET', `/v1/bases/${own}/sources`)).status).toBe(200)
    expect((await reader.call('POST', `/v1/bases/${own}/sources`, page)).status).toBe(403)
    expect((await reader.call('POST', '/v1/uploads', { fileName: 'a', sizeBytes: 1 })).status).toBe(403)
    expect((await reader.call('POST', `/v1/bases/${own}/search`, { query: 'x' })).status).toBe(403)
  })
})
