import { expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { unitVector } from '../../testing/fixtures.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { addText, newBase, sections, settled, smallChunks, upload } from '../../testing/sources.ts'
import { deleteGeneration, finishRemoval } from './remove.ts'
import { countChunks, writeChunks } from './write.ts'

const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database } = await testApp({ embedder: letterEmbedder(), worker: { outbound } })

/** Returns the number of rows of an organization in the tables of the index. */
async function rowsOf({ organizationId }: Caller): Promise<Record<string, number>> {
  const count = (table: string): string => `(select count(*) from ${table} where organization_id = $1) as ${table}`
  const tables = ['index_generation', 'chunk', 'chunk_embedding', 'posting', 'index_removal']
  const { rows } = await database.pool.query<Record<string, number>>(`select ${tables.map(count).join(', ')}`, [organizationId])
  return rows[0] ?? {}
}

it('a large index is replaced and deleted at once for searches, and its rows are deleted after that', async () => {
  const owner = await organization()
  const base = await newBase(owner, smallChunks)
  const source = await settled(owner, await addText(app, owner, base, sections(600)))
  expect(source).toMatchObject({ status: 'completed', chunksCount: 600 })
  const found = async (query: string): Promise<string[]> => {
    const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query, topK: 50 })
    return body.data.map(({ text }: { text: string }) => text)
  }
  expect((await found('part599'))[0]).toContain('part599')

  const storageUrl = await upload(app, owner, Buffer.from(sections(3, 'other')), 'b.md')
  await owner.call('POST', `/v1/bases/${base}/sources/${source.id}/replace`, { storageUrl })
  expect(await settled(owner, source)).toMatchObject({ status: 'completed', chunksCount: 3 })
  expect((await found('part599')).filter((text) => text.includes('part'))).toEqual([])
  await expect.poll(() => rowsOf(owner)).toMatchObject({ index_generation: 1, chunk: 3, chunk_embedding: 3, index_removal: 0 })

  const large = await settled(owner, await addText(app, owner, base, sections(600)))
  expect((await owner.call('DELETE', `/v1/bases/${base}/sources/${large.id}`)).status).toBe(204)
  expect((await found('part599')).filter((text) => text.includes('part'))).toEqual([])
  await owner.call('DELETE', `/v1/bases/${base}`)
  await expect.poll(() => rowsOf(owner)).toEqual({ index_generation: 0, chunk: 0, chunk_embedding: 0, posting: 0, index_removal: 0 })
})

it('a generation is written again after its removal is complete', async () => {
  const { ctx, organizationId, call } = await organization()
  const base = await newBase({ organizationId, ctx, call, token: '' })
  const { body } = await call('POST', `/v1/bases/${base}/sources`, { name: 'S', type: 'url', url: 'https://example.com/' })
  const [baseId, sourceId] = [base.slice(-36), (body.id as string).slice(-36)]
  const generation = 1_000_000_000
  const within = <T>(run: Parameters<typeof ctx.db.transaction<T>>[1]) => ctx.db.transaction(organizationId, run)
  const rows = Array.from({ length: 501 }, (_, ordinal) => ({
    id: newId(),
    vector: unitVector,
    chunk: { ordinal, text: `row ${ordinal}`, start: 0, end: 1, headingPath: [], page: null, pageEnd: null, startSecond: null, tokens: 1 },
  }))
  const write = () =>
    within((trx) => writeChunks(trx, { organizationId, baseId, sourceId, generation }, rows, { title: null, language: 'en' }))
  await write()
  await within((trx) => deleteGeneration({ ...ctx, jobs: { ...ctx.jobs, enqueue: async () => undefined } }, trx, { baseId, generation }))
  expect(await within((trx) => countChunks(trx, generation))).toBe(0)
  await expect(write()).rejects.toMatchObject({ code: '23505' })
  await finishRemoval(ctx, { generation })
  await write()
  expect(await within((trx) => countChunks(trx, generation))).toBe(501)
})
