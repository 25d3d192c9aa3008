import { expect, it, vi } from 'vitest'
import { SourceError } from '../../lib/errors.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { newBase, settled, upload } from '../../testing/sources.ts'

const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database } = await testApp({ embedder, worker: { outbound } })

it('an attempt that resumes with other settings keeps nothing of the previous ones', async () => {
  const owner = await organization()
  const base = await newBase(owner, { chunkingStrategy: 'sentence', chunkSize: 64, chunkOverlap: 0 })
  const text = Array.from({ length: 2000 }, (_, n) => `Sentence number ${n} of this text says so.`).join(' ')
  let batches = 0
  embedder.before = async () => {
    batches += 1
    if (batches !== 2) return
    const written = async (): Promise<number> =>
      (await database.pool.query('select 1 from chunk where base_id = $1', [base.slice(3)])).rows.length
    await vi.waitUntil(async () => (await written()) > 0, { timeout: 120_000 })
    await owner.call('PATCH', `/v1/bases/${base}`, { ragSettings: { chunkSize: 512 } })
    throw new SourceError('embedding_failed', 'not now', { retryable: true })
  }
  const storageUrl = await upload(app, owner, Buffer.from(text))
  const { body } = await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'a', type: 'file', storageUrl })
  const source = await settled(owner, body)
  expect(source).toMatchObject({ status: 'completed', error: null })
  const { rows } = await database.pool.query(
    'select min(tokens) as least, count(*)::int as n from chunk where source_id = $1 and ordinal < $2',
    [source.id.slice(4), source.chunksCount - 1],
  )
  expect(rows).toEqual([{ least: expect.toSatisfy((tokens) => tokens > 64), n: source.chunksCount - 1 }])
})
