import type { Base, Reindex, Source } from '@groundwork/api'
import { describe, expect, it, vi } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { held, letterEmbedder } from '../../testing/letter-embedder.ts'
import { addText, largeChunks, newBase, sections, settled, smallChunks } from '../../testing/sources.ts'

const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()

const medium = { ...smallChunks, chunkSize: 128 }

const added = async (base: string, content: string, more?: object): Promise<Source> =>
  settled(owner, await addText(app, owner, base, content, more))

const change = (base: string, ragSettings: object) => owner.call('PATCH', `/v1/bases/${base}`, { ragSettings })
const baseOf = async (base: string): Promise<Base> => (await owner.call('GET', `/v1/bases/${base}`)).body
const reindexes = async (base: string): Promise<Reindex[]> => (await owner.call('GET', `/v1/bases/${base}/reindexes`)).body.data
const act = (base: string, id: string | undefined, verb: string, body?: object) =>
  owner.call('POST', `/v1/bases/${base}/reindexes/${id}/${verb}`, body)

const chunksOf = async ({ baseId, id }: Source): Promise<{ tokens: number }[]> =>
  (await owner.call('GET', `/v1/bases/${baseId}/sources/${id}/chunks?limit=100`)).body.data
const longest = async (source: Source): Promise<number> => Math.max(...(await chunksOf(source)).map(({ tokens }) => tokens))

/** The newest re-index of the base, once it is of the status. */
async function reaches(base: string, status: Reindex['status']): Promise<Reindex | undefined> {
  await vi.waitUntil(async () => (await reindexes(base))[0]?.status === status, { timeout: 120_000, interval: 20 })
  return (await reindexes(base))[0]
}

describe('new chunking settings of a knowledge base', () => {
  it('re-index its sources in a second index and switch atomically', async () => {
    const base = await newBase(owner, smallChunks)
    const sources = [await added(base, sections(6)), await added(base, sections(9, 'chapter'))]
    const before = await Promise.all(sources.map(chunksOf))
    let answer: { status: number; body: Base } | undefined
    const release = await held(embedder, async () => (answer = await change(base, largeChunks)))
    expect(answer).toMatchObject({
      status: 200,
      body: { ragSettings: largeChunks, reindexing: { status: 'building', progress: { sources: 2, done: 0 } } },
    })
    expect(await Promise.all(sources.map(chunksOf))).toEqual(before)
    release()
    const reindex = await reaches(base, 'switched')
    expect(reindex).toMatchObject({ switchWhenReady: true, settings: { before: smallChunks, after: largeChunks } })
    for (const source of sources) expect(await longest(source)).toBeGreaterThan(64)
    expect(await baseOf(base)).toMatchObject({ ragSettings: largeChunks, reindexing: null })
    const log = (await owner.call('GET', `/v1/audit?targetId=${reindex?.id}`)).body.data
    expect(log).toMatchObject([
      { action: 'reindex.switched', actor: { type: 'system' } },
      { action: 'reindex.started', actor: { type: 'token' } },
    ])
    expect(await act(base, reindex?.id, 'rollback')).toMatchObject({ status: 200 })
    expect(await Promise.all(sources.map(chunksOf))).toEqual(before)
    expect(await baseOf(base)).toMatchObject({ ragSettings: smallChunks, reindexing: null })
  })

  it('are not switched to if results get worse, and the record shows it', async () => {
    const base = await newBase(owner, largeChunks)
    const source = await added(base, sections(5))
    const [passage] = (await owner.call('GET', `/v1/bases/${base}/sources/${source.id}/chunks`)).body.data
    const expectedText = passage.text.slice(0, 1500)
    await owner.call('POST', `/v1/bases/${base}/questions`, { question: 'what does part2 say?', expectedText })
    await change(base, smallChunks)
    const reindex = await reaches(base, 'ready')
    expect(reindex?.comparison.evaluation).toMatchObject({ worse: 1 })
    expect((await act(base, reindex?.id, 'switch', {})).status).toBe(409)
    expect(await baseOf(base)).toMatchObject({ ragSettings: smallChunks, reindexing: { id: reindex?.id, status: 'ready' } })
    expect(await longest(source)).toBeGreaterThan(64)
    expect((await act(base, reindex?.id, 'switch', { force: true })).status).toBe(200)
    expect(await longest(source)).toBeLessThanOrEqual(64)
  })

  it('replace settings that were not switched to yet, and a rollback undoes both', async () => {
    const base = await newBase(owner, smallChunks)
    const source = await added(base, sections(6))
    const before = await chunksOf(source)
    const release = await held(embedder, () => change(base, largeChunks))
    expect(await change(base, medium)).toMatchObject({ status: 200, body: { ragSettings: medium } })
    release()
    const reindex = await reaches(base, 'switched')
    expect(await reindexes(base)).toMatchObject([{ settings: { before: smallChunks, after: medium } }, { status: 'cancelled' }])
    expect(await longest(source)).toBeLessThanOrEqual(128)
    await act(base, reindex?.id, 'rollback')
    expect(await chunksOf(source)).toEqual(before)
    expect(await baseOf(base)).toMatchObject({ ragSettings: smallChunks })
  })

  it('are cancelled by the previous settings', async () => {
    const base = await newBase(owner, smallChunks)
    const source = await added(base, sections(6))
    const before = await chunksOf(source)
    const release = await held(embedder, () => change(base, largeChunks))
    await change(base, smallChunks)
    release()
    await reaches(base, 'switched')
    expect(await chunksOf(source)).toEqual(before)
    expect(await baseOf(base)).toMatchObject({ ragSettings: smallChunks, reindexing: null })
  })

  it('wait for the end of a re-index that needs a manual switch', async () => {
    const base = await newBase(owner, smallChunks)
    await added(base, sections(4))
    const { body } = await owner.call('POST', `/v1/bases/${base}/reindexes`, largeChunks)
    expect(body.switchWhenReady).toBe(false)
    await reaches(base, 'ready')
    expect(await change(base, { chunkSize: 128 })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: expect.stringContaining(body.id) } },
    })
    expect(await baseOf(base)).toMatchObject({ ragSettings: smallChunks, reindexing: { id: body.id } })
    expect(await change(base, { topK: 3, chunkSize: 64 })).toMatchObject({ status: 200, body: { ragSettings: { topK: 3 } } })
    await act(base, body.id, 'cancel')
    expect((await change(base, { chunkSize: 128 })).status).toBe(200)
  })

  it('also apply to sources in progress', async () => {
    const base = await newBase(owner, smallChunks)
    const release = await held(embedder, () => addText(app, owner, base, sections(6)))
    await change(base, largeChunks)
    await reaches(base, 'switched')
    release()
    const [{ id }] = (await owner.call('GET', `/v1/bases/${base}/sources`)).body.data
    const source = await settled(owner, { baseId: base, id })
    await vi.waitUntil(async () => (await longest(source)) > 64, { timeout: 120_000, interval: 20 })
    expect(await baseOf(base)).toMatchObject({ ragSettings: largeChunks, reindexing: null })
  })

  it('start no re-index if no chunks change', async () => {
    const base = await newBase(owner, smallChunks)
    expect(await change(base, medium)).toMatchObject({ status: 200, body: { ragSettings: medium, reindexing: null } })
    await added(base, sections(2))
    expect(await change(base, { ...medium, topK: 3 })).toMatchObject({ status: 200, body: { reindexing: null } })
    expect(await reindexes(base)).toEqual([])
  })

  it('are refused if they conflict with those of a source', async () => {
    const base = await newBase(owner, largeChunks)
    const { id } = await added(base, sections(2), { ragSettingsOverride: { chunkOverlap: 200 } })
    expect(await change(base, { chunkSize: 256 })).toMatchObject({
      status: 422,
      body: { error: { field: 'ragSettings.chunkSize', message: expect.stringContaining(id) } },
    })
    expect(await baseOf(base)).toMatchObject({ ragSettings: largeChunks, reindexing: null })
  })
})
