import type { Source } from '@groundwork/api'
import { expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { newBase, settled, upload } from '../../testing/sources.ts'

const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
let aheadMs = 0
const now = (): Date => new Date(Date.now() + aheadMs)
const { app, organization } = await testApp({ embedder, worker: { outbound }, now })

async function addLongText(owner: Caller): Promise<Source> {
  const baseId = await newBase(owner, { chunkingStrategy: 'markdown', chunkSize: 64 })
  const parts = Array.from({ length: 400 }, (_, n) => `# Part ${n}\n\nThis is what part ${n} says. ${'It goes on like that. '.repeat(8)}`)
  const storageUrl = await upload(app, owner, Buffer.from(parts.join('\n\n')), 'a.md')
  return (await owner.call('POST', `/v1/bases/${baseId}/sources`, { name: 'S', type: 'file', storageUrl })).body
}

it('reports the estimated time left when the rate is known', async () => {
  const owner = await organization()
  const seen: { done: number; remaining: number | null }[] = []
  let source: Source | undefined
  embedder.before = async () => {
    aheadMs += 10_000
    if (source === undefined) return
    const { body } = await owner.call('GET', `/v1/bases/${source.baseId}/sources/${source.id}`)
    seen.push({ done: body.progress.done, remaining: body.progress.remainingSeconds })
  }
  source = await addLongText(owner)
  expect(source.progress).toMatchObject({ done: 0, remainingSeconds: null })
  const completed = await settled(owner, source)
  expect(completed).toMatchObject({ status: 'completed', progress: { remainingSeconds: null } })
  const told = seen.filter(({ done }) => done > 0)
  expect(told.length).toBeGreaterThan(0)
  // Ten seconds a batch at least, so for any rest there is a while to tell of.
  for (const { done, remaining } of told) expect([done, remaining]).toEqual([done, expect.any(Number)])
  for (const { done, remaining } of seen.filter((each) => each.done === 0)) expect([done, remaining]).toEqual([0, null])
})

it('emits one event per stage, even if the attempt is resumed', async () => {
  const owner = await organization()
  let calls = 0
  embedder.before = async () => {
    calls += 1
    if (calls === 3) throw new Error('a worker is gone')
  }
  const source = await addLongText(owner)
  expect(await settled(owner, source)).toMatchObject({ status: 'completed' })
  expect(calls).toBeGreaterThan(3)
  const { body } = await owner.call('GET', '/v1/events?type=source.processing')
  expect(body.data.map(({ data }: { data: Source }) => data.stage).toReversed()).toEqual([
    'queued',
    'extracting',
    'chunking',
    'embedding',
    'indexing',
  ])
  // Only the user that added the source has changed anything.
  const { body: log } = await owner.call('GET', `/v1/audit?targetId=${source.id}`)
  expect(log.data.map(({ action }: { action: string }) => action)).toEqual(['source.completed', 'source.created'])
})
