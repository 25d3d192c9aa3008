import type { Base, Reindex, Source } from '@groundwork/api'
import { describe, expect, it, vi } from 'vitest'
import { SourceError } from '../../lib/errors.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { held, letterEmbedder } from '../../testing/letter-embedder.ts'
import { startSite } from '../../testing/site.ts'
import { addText, largeChunks, newBase, sections, settled, smallChunks, upload } from '../../testing/sources.ts'
import { buildShadowQueue } from './queue.ts'

const site = await startSite()
const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [site.host], userAgent: 'test' })
const { app, organization, database, platform } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()

const added = async (base: string, content: string): Promise<Source> => settled(owner, await addText(app, owner, base, content))

const call = async (base: string, id: string, verb?: string, body?: object) =>
  (await owner.call(verb === undefined ? 'GET' : 'POST', `/v1/bases/${base}/reindexes/${id}${verb === undefined ? '' : `/${verb}`}`, body))
    .body

const start = async (base: string, body: object): Promise<Reindex> => (await owner.call('POST', `/v1/bases/${base}/reindexes`, body)).body

async function ends(base: string, id: string): Promise<Reindex> {
  await vi.waitUntil(async () => (await call(base, id)).status !== 'building', { timeout: 120_000, interval: 20 })
  return call(base, id)
}

const search = async (base: string, query: string): Promise<{ text: string }[]> =>
  (await owner.call('POST', `/v1/bases/${base}/search`, { query, topK: 100 })).body.data

const chunksOf = async ({ baseId, id }: Pick<Source, 'baseId' | 'id'>): Promise<{ tokens: number; text: string }[]> =>
  (await owner.call('GET', `/v1/bases/${baseId}/sources/${id}/chunks?limit=100`)).body.data

const count = async (sql: string, base: string): Promise<number> => (await database.pool.query(sql, [base.slice(-36)])).rows.length

describe('a build', () => {
  it('continues after its worker was killed, with the same result', async () => {
    const base = await newBase(owner, largeChunks)
    const source = await added(base, sections(150))
    const whole = await ends(base, (await start(base, smallChunks)).id)
    await call(base, whole.id, 'cancel')
    await vi.waitUntil(async () => (await count('select distinct generation from chunk where base_id = $1', base)) === 1, {
      timeout: 120_000,
    })
    embedder.passages.length = 0
    let batches = 0
    embedder.before = async () => {
      batches += 1
      if (batches !== 2) return
      await vi.waitUntil(
        async () => (await count(`select 1 from reindex_source where base_id = $1 and status = 'building' and chunks > 0`, base)) > 0,
        { timeout: 120_000 },
      )
      throw new SourceError('embedding_failed', 'not now', { retryable: true })
    }
    const again = await ends(base, (await start(base, smallChunks)).id)
    embedder.before = async () => undefined
    expect(again).toMatchObject({ status: 'ready', comparison: whole.comparison })
    expect(new Set(embedder.passages).size).toBe(embedder.passages.length)
    await call(base, again.id, 'switch', {})
    const chunks = await chunksOf(source)
    expect(chunks.length).toBe(100)
    expect(JSON.stringify(await search(base, 'part149'))).toContain('part149')
  })

  it('reports a failure with its errorCode, and keeps the source', async () => {
    const base = await newBase(owner, smallChunks)
    const [broken, fine] = [await added(base, sections(4, 'broken')), await added(base, sections(4))]
    const before = await chunksOf(broken)
    const { rows } = await database.pool.query('select content_key from document where source_id = $1', [broken.id.slice(4)])
    await platform.storage.delete(rows[0].content_key)
    const reindex = await ends(base, (await start(base, largeChunks)).id)
    expect(reindex).toMatchObject({
      status: 'ready',
      progress: { sources: 2, done: 1, failed: 1 },
      failures: [{ sourceId: broken.id, errorCode: 'internal', error: expect.stringContaining('not kept') }],
    })
    expect(await call(base, reindex.id, 'switch', {})).toMatchObject({ status: 'switched' })
    expect(await chunksOf(broken)).toEqual(before)
    expect((await chunksOf(fine)).length).toBeLessThan(before.length)
  })

  it('fails if every source fails', async () => {
    const base = await newBase(owner, smallChunks)
    await added(base, sections(4))
    embedder.before = () => Promise.reject(new SourceError('embedding_failed', 'never'))
    const reindex = await ends(base, (await start(base, largeChunks)).id)
    embedder.before = async () => undefined
    expect(reindex).toMatchObject({ status: 'failed', error: expect.any(String), failures: [{ errorCode: 'embedding_failed' }] })
    expect((await ends(base, (await start(base, largeChunks)).id)).status).toBe('ready')
  })

  it('leaves nothing if its source, knowledge base or re-index ends meanwhile', async () => {
    for (const end of ['source', 'base', 'cancel'] as const) {
      const base = await newBase(owner, smallChunks)
      const source = await added(base, sections(4))
      let id = ''
      const release = await held(embedder, async () => (id = (await start(base, largeChunks)).id))
      if (end === 'cancel') await call(base, id, 'cancel')
      else await owner.call('DELETE', end === 'base' ? `/v1/bases/${base}` : `/v1/bases/${base}/sources/${source.id}`)
      release()
      if (end === 'source') expect(await ends(base, id)).toMatchObject({ status: 'ready', progress: { sources: 0 } })
      const left = `select distinct generation from chunk where base_id = $1`
      await vi.waitUntil(async () => (await count(left, base)) === (end === 'cancel' ? 1 : 0), { timeout: 120_000 })
      await vi.waitUntil(
        async () =>
          (await count(`select 1 from pgboss.job where name = '${buildShadowQueue.name}' and state <= 'active' and $1 <> ''`, base)) === 0,
        { timeout: 120_000 },
      )
      expect(await count(left, base)).toBe(end === 'cancel' ? 1 : 0)
    }
  })

  it('does not restore content that was replaced meanwhile', async () => {
    const base = await newBase(owner, smallChunks)
    const source = await added(base, sections(4, 'old'))
    let id = ''
    const release = await held(embedder, async () => (id = (await start(base, largeChunks)).id))
    const storageUrl = await upload(app, owner, Buffer.from(sections(4, 'newer')), 'b.md')
    await settled(owner, (await owner.call('POST', `/v1/bases/${base}/sources/${source.id}/replace`, { storageUrl })).body)
    release()
    expect(await ends(base, id)).toMatchObject({ status: 'ready', progress: { sources: 1, done: 1 } })
    await call(base, id, 'switch', {})
    const [first] = await chunksOf(source)
    expect(first).toMatchObject({ text: expect.stringContaining('newer0'), tokens: expect.toSatisfy((tokens) => tokens > 64) })
  })

  it('uses the stored texts of a site without fetching it again', async () => {
    const pages = ['a', 'b', 'c']
    const html = (name: string): string =>
      `<html lang="en"><title>${name}</title><main><h1>${name}</h1>${Array.from({ length: 12 }, (_, n) => `<p>Line ${n} of page ${name} tells of ${name}${n} and goes on for a while.</p>`).join('')}</main>`
    const links = pages.map((name) => `<a href="/site/${name}">${name}</a>`).join(' ')
    site.pages.set('/site', (response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<html lang="en"><title>root</title><main><p>The root of this site has some words.</p>${links}</main>`),
    )
    for (const name of pages)
      site.pages.set(`/site/${name}`, (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html(name)))
    const base = await newBase(owner, smallChunks)
    const { body } = await owner.call('POST', `/v1/bases/${base}/sources`, { name: 's', type: 'scrape', url: `http://${site.host}/site` })
    const source = await settled(owner, body)
    expect(source).toMatchObject({ status: 'completed' })
    const asked = site.requests.length
    const reindex = await ends(base, (await start(base, largeChunks)).id)
    expect(reindex).toMatchObject({ status: 'ready', progress: { done: 1 } })
    expect(site.requests.length).toBe(asked)
    await call(base, reindex.id, 'switch', {})
    const [hit] = await search(base, 'b7')
    expect(hit).toMatchObject({ text: expect.stringContaining('b7'), url: `http://${site.host}/site/b` })
    const listed = (await owner.call('GET', `/v1/bases/${base}/sources/${source.id}/pages`)).body.data
    const total = listed.reduce((sum: number, page: { chunks: number }) => sum + page.chunks, 0)
    expect(total).toBe(reindex.comparison.after.chunks)
    const synced = await settled(owner, (await owner.call('POST', `/v1/bases/${base}/sources/${source.id}/sync`)).body)
    expect(synced).toMatchObject({ status: 'completed', error: null, chunksCount: total })
  })
})

describe('a switch', () => {
  it('gives every search a single index', async () => {
    const base = await newBase(owner, smallChunks)
    for (let n = 0; n < 6; n += 1) await added(base, sections(3, `lot${n}x`))
    const reindex = await ends(base, (await start(base, largeChunks)).id)
    const sizes = new Set<string>()
    const over = new AbortController()
    const searching = Promise.all(
      Array.from({ length: 3 }, async () => {
        while (!over.signal.aborted) {
          const hits = await search(base, 'what it says')
          sizes.add(String(hits.length))
        }
      }),
    )
    await call(base, reindex.id, 'switch', {})
    await search(base, 'what it says')
    await call(base, reindex.id, 'rollback')
    await search(base, 'what it says')
    over.abort()
    await searching
    const { before, after } = reindex.comparison
    expect(after.chunks).toBeLessThan(before.chunks)
    expect([...sizes].every((size) => [String(before.chunks), String(after.chunks)].includes(size))).toBe(true)
  })

  it('re-indexes sources that were being processed at that moment', async () => {
    const base = await newBase(owner, smallChunks)
    await added(base, sections(4))
    const reindex = await ends(base, (await start(base, largeChunks)).id)
    let late: Source | undefined
    const release = await held(embedder, async () => (late = await addText(app, owner, base, sections(4, 'late'))))
    expect(await call(base, reindex.id, 'switch', {})).toMatchObject({ status: 'switched' })
    release()
    if (late === undefined) throw new Error('nothing was added')
    await settled(owner, late)
    await vi.waitUntil(async () => ((await chunksOf(late as Source))[0]?.tokens ?? 0) > 64, { timeout: 120_000 })
    expect(JSON.stringify(await search(base, 'late3'))).toContain('late3')
    expect(await call(base, reindex.id, 'rollback')).toMatchObject({ status: 'rolled_back' })
    expect(JSON.stringify(await search(base, 'late3'))).toContain('late3')
  })

  it('is refused if the program has another embedding model by then', async () => {
    const base = await newBase(owner, smallChunks)
    await added(base, sections(4))
    const reindex = await ends(base, (await start(base, largeChunks)).id)
    await database.pool.query(
      `update reindex set settings_after = jsonb_set(settings_after, '{embeddingModels}', '["other"]') where id = $1`,
      [reindex.id.slice(4)],
    )
    expect(await call(base, reindex.id, 'switch', {})).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('model') },
    })
  })
})

describe('the record of a knowledge base', () => {
  const baseOf = async (base: string): Promise<Base> => (await owner.call('GET', `/v1/bases/${base}`)).body

  it('shows the re-index that is building or ready', async () => {
    const base = await newBase(owner, smallChunks)
    await added(base, sections(5))
    expect((await baseOf(base)).reindexing).toBeNull()
    let id = ''
    const release = await held(embedder, async () => ({ id } = await start(base, largeChunks)))
    const progress = { sources: 1, done: 0, failed: 0, chunks: 0 }
    expect((await baseOf(base)).reindexing).toEqual({ id, status: 'building', progress })
    release()
    const reindexing = { id, status: 'ready', progress: (await ends(base, id)).progress }
    expect((await baseOf(base)).reindexing).toEqual(reindexing)
    const { data } = (await owner.call('GET', '/v1/bases?limit=100')).body
    expect(data.find((each: Base) => each.id === base).reindexing).toEqual(reindexing)
    expect((await owner.call('PATCH', `/v1/bases/${base}`, { name: 'B' })).body.reindexing).toEqual(reindexing)
    await call(base, id, 'switch', {})
    expect((await baseOf(base)).reindexing).toBeNull()
  })
})
