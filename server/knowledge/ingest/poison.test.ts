import { expect, it, vi } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { newBase, settled, upload } from '../../testing/sources.ts'
import { processSourceQueue } from './queue.ts'

const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database } = await testApp({ embedder, worker: { outbound } })

it('a source fails with a reason after its worker was killed too often, and can be retried', async () => {
  const owner = await organization()
  const baseId = await newBase(owner)
  let reached = (): void => undefined
  let release = (): void => undefined
  const held = new Promise<void>((done) => (reached = done))
  embedder.before = () => {
    reached()
    return new Promise((done) => (release = done))
  }
  const storageUrl = await upload(app, owner, Buffer.from('We open at nine.'))
  const { body: source } = await owner.call('POST', `/v1/bases/${baseId}/sources`, { name: 'S', type: 'file', storageUrl })
  await held
  // Its last attempt, whose worker has been silent for longer than its lease.
  await database.pool.query(
    `update pgboss.job set retry_count = retry_limit, heartbeat_on = now() - interval '1 hour'
      where name = $2 and data ->> 'sourceId' = $1`,
    [source.id.slice(4), processSourceQueue.name],
  )
  const failed = await settled(owner, source)
  expect(failed).toMatchObject({ status: 'failed', errorCode: 'internal', error: 'Processing was interrupted too many times.' })
  embedder.before = async () => undefined
  release()
  const { body: events } = await owner.call('GET', '/v1/events?type=source.failed')
  expect(events.data).toMatchObject([{ data: { id: source.id, errorCode: 'internal' } }])
  await owner.call('POST', `/v1/bases/${baseId}/sources/${source.id}/retry`)
  await vi.waitUntil(async () => (await settled(owner, source)).status === 'completed', { timeout: 120_000 })
}, 120_000)
