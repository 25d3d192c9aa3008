import type { Reindex, SearchReply, Source } from '@groundwork/api'
import { expect, it, vi } from 'vitest'
import { ownerQuery } from '../../db/owner-query.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { held, letterEmbedder, type LetterEmbedder } from '../../testing/letter-embedder.ts'
import { addText, newBase, sections, settled, smallChunks } from '../../testing/sources.ts'
import type { Embedder } from '../embed/embedder.ts'
import { followModel } from './follow-model.ts'

/** An embedder whose vectors have other dimensions than those of `letterEmbedder`. */
function otherEmbedder(): LetterEmbedder {
  const letters = letterEmbedder()
  return Object.assign(Object.create(letters) as LetterEmbedder, {
    model: 'other@test/float32',
    dimensions: 40,
    embed: async (...[texts, purpose]: Parameters<Embedder['embed']>) => {
      if (purpose === 'passage') await other.before()
      const vectors = await letters.embed(texts, 'query')
      return vectors.map((vector) => Float32Array.from({ length: 40 }, (_, at) => vector[(at * 7) % 26] ?? 0)).map(unit)
    },
  })
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const [letters, other] = [letterEmbedder(), otherEmbedder()]
/** The model that the program uses. A test changes it, like a restart with other settings. */
let used: LetterEmbedder = letters
const embedder: Embedder = {
  get model() {
    return used.model
  },
  get dimensions() {
    return used.dimensions
  },
  embed: (...input) => used.embed(...input),
  competence: () => 1,
  close: async () => undefined,
}
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database, platform } = await testApp({ embedder, formerModels: [letters], worker: { outbound } })
const owner = await organization()

const added = async (base: string, content: string): Promise<Source> => settled(owner, await addText(app, owner, base, content))
const search = async (base: string, options: object = {}): Promise<SearchReply> =>
  (await owner.call('POST', `/v1/bases/${base}/search`, { query: 'part2 and chapter1', ...options })).body
const scoresOf = ({ data }: SearchReply) => data.map(({ chunkId, score, scores }) => ({ chunkId, score, scores }))
const reindexOf = async (base: string): Promise<Reindex | undefined> =>
  (await owner.call('GET', `/v1/bases/${base}/reindexes`)).body.data[0]
const restartWith = async (model: LetterEmbedder): Promise<void> => {
  used = model
  await followModel((organizationId) => ({ ...platform, organizationId }), ownerQuery(database.pool), model.model)
}

it('vectors of the former model serve searches until the re-index switches', async () => {
  const base = await newBase(owner, smallChunks)
  await added(base, sections(4))
  await added(base, sections(3, 'chapter'))
  const before = await search(base)
  expect(before).toMatchObject({ scoredBy: 'hybrid', degraded: [] })

  const release = await held(other, () => restartWith(other))
  const meanwhile = await search(base)
  expect(meanwhile).toMatchObject({ scoredBy: 'hybrid', degraded: [] })
  expect(scoresOf(meanwhile)).toEqual(scoresOf(before))
  expect(await search(base, { hybridSearch: false })).toMatchObject({ scoredBy: 'vector', degraded: [] })

  // Sources that are added meanwhile have vectors of the new model.
  const fresh = await added(base, sections(2, 'appendix'))
  expect(fresh).toMatchObject({ embeddingModel: other.model })
  const mixed = await search(base, { query: 'part1 and appendix1', topK: 50 })
  expect(mixed.degraded).toEqual([])
  expect(new Set(mixed.data.map(({ sourceId }) => sourceId)).size).toBe(3)
  for (const { scores } of mixed.data) expect(scores.vector).not.toBeNull()
  expect(mixed.data.map(({ score }) => score)).toEqual(mixed.data.map(({ score }) => score).toSorted((a, b) => b - a))
  const [first] = (await search(base, { query: 'appendix1', topK: 1 })).data
  expect(first?.sourceId).toBe(fresh.id)
  const only = await search(base, { query: 'appendix1', sourceIds: [fresh.id], topK: 50 })
  expect(only.data.map(({ score }) => score)).toEqual(
    (await search(base, { query: 'appendix1', topK: 50 })).data.filter(({ sourceId }) => sourceId === fresh.id).map(({ score }) => score),
  )

  const current = await newBase(owner, smallChunks)
  await added(current, sections(2))
  const both = await owner.call('POST', '/v1/search', { baseIds: [base, current], query: 'part1', topK: 50 })
  expect(both.body).toMatchObject({ degraded: [] })

  const replies: SearchReply[] = []
  release()
  await vi.waitUntil(
    async () => {
      replies.push(await search(base))
      return (await reindexOf(base))?.status === 'switched'
    },
    { timeout: 120_000, interval: 1 },
  )
  expect(replies.filter(({ degraded }) => degraded.length > 0)).toEqual([])
  const { body } = await owner.call('GET', `/v1/bases/${base}/sources`)
  expect(body.data.map(({ embeddingModel }: Source) => embeddingModel)).toEqual([other.model, other.model, other.model])
  expect(await search(base)).toMatchObject({ scoredBy: 'hybrid', degraded: [] })

  const { id } = (await reindexOf(base)) ?? {}
  await owner.call('POST', `/v1/bases/${base}/reindexes/${id}/rollback`)
  expect(await search(base)).toMatchObject({ scoredBy: 'hybrid', degraded: [] })
})
