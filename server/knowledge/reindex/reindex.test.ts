import type { Reindex, Source } from '@groundwork/api'
import { describe, expect, it, vi } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { endDelays } from '../../testing/delayed-jobs.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { addText, largeChunks, newBase, sections, settled, smallChunks, upload } from '../../testing/sources.ts'
import { dropReindexWork } from './drop.ts'

const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()

const settledText = async (base: string, content: string, more?: object): Promise<Source> =>
  settled(owner, await addText(app, owner, base, content, more))

const start = (base: string, body: object = largeChunks) => owner.call('POST', `/v1/bases/${base}/reindexes`, body)
const reindexOf = async (base: string, id: string): Promise<Reindex> => (await owner.call('GET', `/v1/bases/${base}/reindexes/${id}`)).body
const act = (base: string, id: string, verb: string) =>
  owner.call('POST', `/v1/bases/${base}/reindexes/${id}/${verb}`, verb === 'switch' ? {} : undefined)

async function reaches(base: string, id: string, status: Reindex['status']): Promise<Reindex> {
  await vi.waitUntil(async () => (await reindexOf(base, id)).status !== 'building', { timeout: 120_000, interval: 20 })
  const reindex = await reindexOf(base, id)
  expect(reindex).toMatchObject({ status })
  return reindex
}

async function ready(base: string, body: object = largeChunks): Promise<Reindex> {
  const { status, body: begun } = await start(base, body)
  expect([status, begun.status]).toEqual([201, expect.stringMatching(/building|ready/)])
  return reaches(base, begun.id, 'ready')
}

const chunksOf = async (base: string, source: string) =>
  (await owner.call('GET', `/v1/bases/${base}/sources/${source}/chunks?limit=100`)).body.data

const search = async (base: string, query: string) => (await owner.call('POST', `/v1/bases/${base}/search`, { query, topK: 100 })).body.data

const generations = async (base: string): Promise<number> =>
  (await database.pool.query('select distinct generation from chunk where base_id = $1', [base.slice(3)])).rows.length

describe('a re-index', () => {
  it('builds a second index, switches atomically, and is rolled back atomically', async () => {
    const base = await newBase(owner, smallChunks)
    const sources = [await settledText(base, sections(6)), await settledText(base, sections(9, 'chapter'))]
    const before = await Promise.all(sources.map(({ id }) => chunksOf(base, id)))
    const found = await search(base, 'part3')

    const reindex = await ready(base)
    expect(reindex).toMatchObject({
      progress: { sources: 2, done: 2, failed: 0 },
      settings: {
        before: { ...smallChunks, embeddingModels: [embedder.model] },
        after: { ...largeChunks, embeddingModels: [embedder.model] },
      },
      failures: [],
      rollbackUntil: null,
    })
    const { comparison } = reindex
    expect(comparison.before.chunks).toBe(before.flat().length)
    expect(comparison.after.chunks).toBeLessThan(comparison.before.chunks)
    expect(comparison.after.meanTokens).toBeGreaterThan(comparison.before.meanTokens ?? Infinity)
    expect(await search(base, 'part3')).toEqual(found)
    expect((await owner.call('GET', `/v1/bases/${base}`)).body).toMatchObject({
      ragSettings: smallChunks,
      stats: { chunks: before.flat().length },
    })

    expect(await act(base, reindex.id, 'switch')).toMatchObject({
      status: 200,
      body: { status: 'switched', rollbackUntil: expect.any(String) },
    })
    const after = await Promise.all(sources.map(({ id }) => chunksOf(base, id)))
    expect(after.flat().length).toBe(comparison.after.chunks)
    const current = (await owner.call('GET', `/v1/bases/${base}`)).body
    expect(current).toMatchObject({ ragSettings: largeChunks, stats: { chunks: comparison.after.chunks } })
    expect((await search(base, 'part3')).map(({ chunkId }: { chunkId: string }) => chunkId)).toEqual(
      expect.arrayContaining([after[0].find(({ text: passage }: { text: string }) => passage.includes('part3')).id]),
    )
    expect((await owner.call('GET', `/v1/bases/${base}/sources/${sources[0]?.id}/content`)).body.text).toContain('part3')

    expect(await act(base, reindex.id, 'rollback')).toMatchObject({ status: 200, body: { status: 'rolled_back', rollbackUntil: null } })
    expect(await Promise.all(sources.map(({ id }) => chunksOf(base, id)))).toEqual(before)
    expect((await owner.call('GET', `/v1/bases/${base}`)).body).toMatchObject({
      ragSettings: smallChunks,
      stats: { chunks: before.flat().length },
    })
    expect((await owner.call('GET', `/v1/bases/${base}/sources/${sources[0]?.id}/content`)).body.text).toContain('part3')
    await vi.waitUntil(async () => (await generations(base)) === 2, { timeout: 120_000 })
    const log = (await owner.call('GET', `/v1/audit?targetId=${reindex.id}`)).body.data
    expect(log.map(({ action }: { action: string }) => action)).toEqual(['reindex.rolled_back', 'reindex.switched', 'reindex.started'])
  })

  it('is one at a time, and leaves nothing when it is cancelled', async () => {
    const base = await newBase(owner, smallChunks)
    await settledText(base, sections(5))
    const first = await ready(base)
    expect(await start(base)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: expect.stringContaining(first.id) } },
    })
    expect(await generations(base)).toBe(2)
    expect(await act(base, first.id, 'cancel')).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    for (const verb of ['cancel', 'switch', 'rollback'])
      expect(await act(base, first.id, verb)).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('This one is cancelled.') } },
      })
    await vi.waitUntil(async () => (await generations(base)) === 1, { timeout: 120_000 })
    await ready(base)
    expect((await owner.call('GET', `/v1/bases/${base}/reindexes`)).body.data).toMatchObject([{ status: 'ready' }, { id: first.id }])
  })

  it('skips sources that already have these settings', async () => {
    const base = await newBase(owner, smallChunks)
    const { chunksCount } = await settledText(base, sections(5))
    embedder.passages.length = 0
    const { body } = await start(base, {})
    expect(body).toMatchObject({ status: 'ready', progress: { sources: 1, done: 1, chunks: chunksCount } })
    expect(embedder.passages).toEqual([])
    expect(await act(base, body.id, 'switch')).toMatchObject({ status: 200, body: { status: 'switched' } })
    expect(await act(base, body.id, 'rollback')).toMatchObject({ status: 200 })
    expect(await generations(base)).toBe(1)
  })

  it('refuses settings that conflict with each other or with those of a source', async () => {
    const base = await newBase(owner)
    expect(await start(base, { chunkSize: 100, chunkOverlap: 50 })).toMatchObject({
      status: 422,
      body: { error: { field: 'chunkOverlap' } },
    })
    expect(await start(base, { topK: 5 })).toMatchObject({ status: 422, body: { error: { field: 'topK' } } })
    const { id } = await settledText(base, sections(2), { ragSettingsOverride: { chunkOverlap: 200 } })
    expect(await start(base, { chunkSize: 256 })).toMatchObject({
      status: 422,
      body: { error: { field: 'chunkSize', message: expect.stringContaining(id) } },
    })
  })

  it('keeps the own settings of a source', async () => {
    const base = await newBase(owner, smallChunks)
    const own = await settledText(base, sections(6), { ragSettingsOverride: { chunkSize: 128 } })
    const reindex = await ready(base, { chunkingStrategy: 'fixed', chunkSize: 512 })
    await act(base, reindex.id, 'switch')
    const chunks = await chunksOf(base, own.id)
    expect(Math.max(...chunks.map(({ tokens }: { tokens: number }) => tokens))).toBeLessThanOrEqual(128)
  })
})

describe('a search in a re-index', () => {
  const tried = (base: string, reindexId: string, more: object = {}) =>
    owner.call('POST', `/v1/bases/${base}/search`, { query: 'part3 chapter5', topK: 100, reindexId, ...more })
  const told = (data: { text: string; score: number; sourceId: string }[]) =>
    data.map(({ text: passage, score, sourceId }) => ({ passage, score, sourceId }))

  it('has the results before the switch that every search has after it', async () => {
    const base = await newBase(owner, smallChunks)
    const [first] = [await settledText(base, sections(6)), await settledText(base, sections(9, 'chapter'))]
    const before = await search(base, 'part3 chapter5')
    const { id } = await ready(base)
    const shadow = await tried(base, id)
    expect(shadow.status).toBe(200)
    expect(told(await search(base, 'part3 chapter5'))).toEqual(told(before))
    expect(told(shadow.body.data)).not.toEqual(told(before))
    const narrowed = await tried(base, id, { sourceIds: [first?.id], neighbours: 1, explain: true })
    expect(told(narrowed.body.data)).toEqual(told(shadow.body.data).filter(({ sourceId }) => sourceId === first?.id))
    await act(base, id, 'switch')
    expect(told(await search(base, 'part3 chapter5'))).toEqual(told(shadow.body.data))
    expect(await tried(base, id)).toMatchObject({ status: 409, body: { error: { code: 'conflict', field: 'reindexId' } } })
    await act(base, id, 'rollback')
    expect(told(await search(base, 'part3 chapter5'))).toEqual(told(before))
  })

  it('is refused if the knowledge base has no such re-index', async () => {
    const [base, other] = [await newBase(owner, smallChunks), await newBase(owner, smallChunks)]
    const { id } = await ready(other)
    expect(await tried(base, id)).toMatchObject({ status: 422, body: { error: { code: 'validation_error', field: 'reindexId' } } })
  })
})

describe('a knowledge base with saved questions', () => {
  const question = (base: string, body: object) => owner.call('POST', `/v1/bases/${base}/questions`, body)

  it('evaluates both indexes, and is not switched to worse results unless forced', async () => {
    const base = await newBase(owner, largeChunks)
    const { id: source } = await settledText(base, sections(5))
    const [passage] = await chunksOf(base, source)
    await question(base, { question: 'what does part2 say?', expectedText: passage.text.slice(0, 1500) })
    const reindex = await ready(base, smallChunks)
    expect(reindex.comparison.evaluation).toEqual({
      questions: 1,
      before: { recall: 1, mrr: 1, found: 1 },
      after: { recall: 0, mrr: 0, found: 0 },
      better: 0,
      worse: 1,
      degraded: 0,
      error: null,
    })
    const refused = await act(base, reindex.id, 'switch')
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('recall 1.000 before, 0.000 after') } },
    })
    expect(await reindexOf(base, reindex.id)).toMatchObject({ status: 'ready' })
    expect(await owner.call('POST', `/v1/bases/${base}/reindexes/${reindex.id}/switch`, { force: true })).toMatchObject({ status: 200 })
  })

  it('is switched to equal results, also for questions saved meanwhile', async () => {
    const base = await newBase(owner, smallChunks)
    const { id: source } = await settledText(base, sections(5))
    const reindex = await ready(base, largeChunks)
    expect(reindex.comparison.evaluation).toBeNull()
    await question(base, { question: 'what does part2 say?', expectedSourceIds: [source] })
    expect(await act(base, reindex.id, 'switch')).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('compared') } },
    })
    const compared = await reaches(base, reindex.id, 'ready')
    expect(compared.comparison.evaluation).toMatchObject({ questions: 1, before: { recall: 1 }, after: { recall: 1 }, worse: 0 })
    const added = await settledText(base, sections(3, 'more'))
    expect(await reaches(base, reindex.id, 'ready')).toMatchObject({ progress: { done: 2 }, comparison: { evaluation: { questions: 1 } } })
    expect(added.status).toBe('completed')
    expect(await act(base, reindex.id, 'switch')).toMatchObject({ status: 200, body: { status: 'switched' } })
  })
})

describe('a source that changes while a re-index is built', () => {
  it('is included if it is added, replaced or deleted before the switch', async () => {
    const base = await newBase(owner, smallChunks)
    const [kept, replaced, deleted] = [
      await settledText(base, sections(4)),
      await settledText(base, sections(4, 'old')),
      await settledText(base, sections(4, 'gone')),
    ]
    const reindex = await ready(base)
    const added = await settledText(base, sections(4, 'fresh'))
    const storageUrl = await upload(app, owner, Buffer.from(sections(4, 'newer')), 'b.md')
    await settled(owner, (await owner.call('POST', `/v1/bases/${base}/sources/${replaced.id}/replace`, { storageUrl })).body)
    await owner.call('DELETE', `/v1/bases/${base}/sources/${deleted.id}`)
    expect(await reaches(base, reindex.id, 'ready')).toMatchObject({ progress: { sources: 3, done: 3 } })
    expect(await act(base, reindex.id, 'switch')).toMatchObject({ status: 200 })
    for (const { id } of [kept, replaced, added]) {
      const [first] = await chunksOf(base, id)
      expect(first.tokens).toBeGreaterThan(64)
    }
    const texts = JSON.stringify(await search(base, 'old0 newer0 fresh0 gone0'))
    expect(['old0', 'newer0', 'fresh0', 'gone0'].map((word) => texts.includes(word))).toEqual([false, true, true, false])
  })

  it('keeps its new content after a rollback, without the old content', async () => {
    const base = await newBase(owner, smallChunks)
    const [replaced, other] = [await settledText(base, sections(4, 'old')), await settledText(base, sections(4))]
    const otherBefore = await chunksOf(base, other.id)
    const reindex = await ready(base)
    await act(base, reindex.id, 'switch')
    const storageUrl = await upload(app, owner, Buffer.from(sections(4, 'newer')), 'b.md')
    await settled(owner, (await owner.call('POST', `/v1/bases/${base}/sources/${replaced.id}/replace`, { storageUrl })).body)
    const { rows } = await database.pool.query(`select count(*)::int as n from chunk where text like '%old0%' and base_id = $1`, [
      base.slice(3),
    ])
    expect(rows).toEqual([{ n: 0 }])
    expect(await act(base, reindex.id, 'rollback')).toMatchObject({ status: 200 })
    expect(JSON.stringify(await search(base, 'newer0'))).toContain('newer0')
    expect(await chunksOf(base, other.id)).toEqual(otherBefore)
  })
})

describe('the previous index', () => {
  const forgotten = async (base: string) => {
    await database.pool.query(`update reindex set kept_until = now() - interval '1 second' where base_id = $1 and kept_until is not null`, [
      base.slice(3),
    ])
    await endDelays(database, dropReindexWork.name)
  }

  it('is deleted after its retention time', async () => {
    const base = await newBase(owner, smallChunks)
    await settledText(base, sections(4))
    const reindex = await ready(base)
    await act(base, reindex.id, 'switch')
    expect(await generations(base)).toBe(2)
    await forgotten(base)
    expect(await generations(base)).toBe(1)
    expect(await act(base, reindex.id, 'rollback')).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('no longer kept') } },
    })
    expect(JSON.stringify(await search(base, 'part1'))).toContain('part1')
  })

  it('is deleted when the next re-index begins', async () => {
    const base = await newBase(owner, smallChunks)
    await settledText(base, sections(4))
    const first = await ready(base)
    await act(base, first.id, 'switch')
    const second = await ready(base, smallChunks)
    expect((await act(base, first.id, 'rollback')).status).toBe(409)
    await vi.waitUntil(async () => (await generations(base)) === 2, { timeout: 120_000 })
    expect(await act(base, second.id, 'switch')).toMatchObject({ status: 200 })
  })
})
