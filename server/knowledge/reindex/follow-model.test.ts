import type { Base, Reindex, Source } from '@groundwork/api'
import { describe, expect, it, vi } from 'vitest'
import { ownerQuery } from '../../db/owner-query.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { addText, largeChunks, newBase, sections, settled, smallChunks } from '../../testing/sources.ts'
import { followModel, followModelWork, loadModels } from './follow-model.ts'

const load = vi.fn<() => Promise<void>>(async () => undefined)
const embedder = Object.assign(letterEmbedder(), { load })
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database, platform } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()
const query = ownerQuery(database.pool)
const former = 'former@test/float32'

const added = async (base: string, content: string): Promise<Source> => settled(owner, await addText(app, owner, base, content))
const restart = (): Promise<number> => followModel((organizationId) => ({ ...platform, organizationId }), query, embedder.model)
const reindexes = async (base: string): Promise<Reindex[]> => (await owner.call('GET', `/v1/bases/${base}/reindexes`)).body.data
const modelsOf = async (base: string): Promise<(string | null)[]> =>
  (await owner.call('GET', `/v1/bases/${base}/sources`)).body.data.map(({ embeddingModel }: Source) => embeddingModel)

/** Marks the index of the knowledge base as one of another model. */
async function indexWithFormerModel(base: string): Promise<void> {
  await query(`update source set embedding_model = $1, index_config = replace(index_config, $2, $1) where base_id = $3`, [
    former,
    embedder.model,
    base.slice(3),
  ])
}

async function reaches(base: string, status: Reindex['status']): Promise<Reindex | undefined> {
  await vi.waitUntil(async () => (await reindexes(base))[0]?.status === status, { timeout: 120_000, interval: 20 })
  return (await reindexes(base))[0]
}

describe('the embedding model', () => {
  it('is loaded when the first knowledge base is made, and when a program with one starts', async () => {
    await loadModels(query, platform)
    expect(load).not.toHaveBeenCalled()
    await newBase(owner, smallChunks)
    expect(load).toHaveBeenCalledTimes(1)
    await loadModels(query, platform)
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('stops the start of the program if it cannot be loaded, but not a new knowledge base', async () => {
    load.mockRejectedValue(new Error('weights.bin is missing'))
    await expect(newBase(owner, smallChunks)).resolves.toMatch(/^kb_/)
    await expect(loadModels(query, platform)).rejects.toThrow('weights.bin is missing')
    load.mockReset()
  })
})

describe('another embedding model', () => {
  it('starts a re-index of the knowledge bases with vectors of the former one, which switches by itself', async () => {
    const [old, current] = [await newBase(owner, smallChunks), await newBase(owner, smallChunks)]
    await added(old, sections(4))
    await added(old, sections(3, 'chapter'))
    await added(current, sections(4))
    await indexWithFormerModel(old)
    expect(await modelsOf(old)).toEqual([former, former])
    const found = await owner.call('POST', `/v1/bases/${old}/search`, { query: 'part2' })
    expect(found.body).toMatchObject({ degraded: ['vector'] })
    expect(await restart()).toBe(1)
    const reindex = await reaches(old, 'switched')
    expect(reindex).toMatchObject({
      switchWhenReady: true,
      settings: { before: { embeddingModels: [former] }, after: { ...smallChunks, embeddingModels: [embedder.model] } },
    })
    expect(await modelsOf(old)).toEqual([embedder.model, embedder.model])
    expect(await reindexes(current)).toEqual([])
    expect(await restart()).toBe(0)
  })

  it('replaces a re-index of the former model, and keeps one of its own', async () => {
    const base = await newBase(owner, smallChunks)
    await added(base, sections(4))
    await owner.call('POST', `/v1/bases/${base}/reindexes`, largeChunks)
    const manual = await reaches(base, 'ready')
    await indexWithFormerModel(base)
    await restart()
    await followModelWork.run({ ...platform, organizationId: owner.ctx.organizationId }, { baseId: base.slice(3) })
    expect((await reindexes(base)).map(({ id }) => id)).toEqual([manual?.id])
    await query(`update reindex set settings_after = jsonb_set(settings_after, '{embeddingModels}', $1) where id = $2`, [
      JSON.stringify([former]),
      manual?.id.slice(4),
    ])
    await restart()
    await reaches(base, 'switched')
    expect((await reindexes(base)).map(({ status }) => status)).toEqual(['switched', 'cancelled'])
    const { body } = await owner.call('GET', `/v1/bases/${base}`)
    expect((body as Base).reindexing).toBeNull()
  })
})
