import { expect, it, vi } from 'vitest'
import { diagnose } from '../../doctor/doctor.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { newBase, settled, upload } from '../../testing/sources.ts'

const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database, platform } = await testApp({ embedder: letterEmbedder(), worker: { outbound } })
const owner = await organization()

const note = (word: string): Buffer =>
  Buffer.from(Array.from({ length: 12 }, (_, n) => `Line ${n} of ${word} says ${word}${n} once more.`).join('\n\n'))

it('a re-index, its switches and concurrent changes of sources do not interfere', async () => {
  const base = await newBase(owner, { chunkingStrategy: 'fixed', chunkSize: 64, chunkOverlap: 0 })
  const path = `/v1/bases/${base}`
  const faults: unknown[] = []
  const ask = async (method: string, at: string, body?: object) => {
    const answer = await owner.call(method, `${path}${at}`, body)
    if (answer.status >= 500) faults.push([method, at, answer.body])
    return answer
  }
  const file = async (word: string) => ({ name: word, type: 'file', storageUrl: await upload(app, owner, note(word)) })
  const add = async (word: string): Promise<string> => (await ask('POST', '/sources', await file(word))).body.id
  const newest = async (): Promise<{ id: string; status: string } | undefined> => (await ask('GET', '/reindexes?limit=1')).body.data[0]

  const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => add(`first${n}x`)))
  for (const id of ids) await settled(owner, { baseId: base, id })
  for (let round = 0; round < 6; round += 1) {
    const [replaced = '', deleted = ''] = [ids[round % ids.length], ids.shift()]
    await Promise.all([
      ask('POST', '/reindexes', { chunkSize: round % 2 === 0 ? 256 : 64 }),
      add(`added${round}x`).then((id) => ids.push(id)),
      file(`replaced${round}x`).then(({ storageUrl }) => ask('POST', `/sources/${replaced}/replace`, { storageUrl })),
      ask('DELETE', `/sources/${deleted}`),
      ask('POST', '/search', { query: 'first1x' }),
      newest().then((row) => ask('POST', `/reindexes/${row?.id}/${['cancel', 'rollback'][round % 2]}`)),
    ])
    await ask('POST', '/reindexes', {})
    if (round % 3 !== 0) await vi.waitUntil(async () => (await newest())?.status !== 'building', { timeout: 120_000, interval: 20 })
    const row = await newest()
    await Promise.all([
      ask('POST', `/reindexes/${row?.id}/switch`, {}),
      add(`late${round}x`).then((id) => ids.push(id)),
      ask('POST', `/sources/${ids[1]}/retry`),
      ask('PATCH', '', { ragSettings: { topK: 5 + round, chunkSize: round % 2 === 0 ? 128 : 96 } }),
    ])
  }
  const idle = async (): Promise<boolean> =>
    (await database.pool.query(`select 1 from pgboss.job where state <= 'active' and start_after <= now() + interval '5 minutes' limit 1`))
      .rows.length === 0
  await vi.waitUntil(idle, { timeout: 120_000, interval: 100 })
  expect(faults).toEqual([])
  const { body } = await ask('GET', '/sources?limit=100')
  expect(body.data.map(({ status, error }: { status: string; error: unknown }) => [status, error])).toEqual(
    ids.map(() => ['completed', null]),
  )
  const { findings } = await diagnose(
    {
      query: async <Row>(text: string, values?: unknown[]) => (await database.pool.query(text, values)).rows as Row[],
      database,
      jobs: platform.jobs,
      storage: platform.storage,
    },
    { repair: false, graceSeconds: 0, now: new Date() },
  )
  expect(findings.filter(({ check }) => check !== 'orphan_file')).toEqual([])
  const [fails] = await Promise.all([ask('DELETE', ''), ask('POST', '/reindexes', {}), add('last').catch(() => '')])
  expect(fails.status).toBe(204)
  expect(faults).toEqual([])
  const left = async (): Promise<number> =>
    (await database.pool.query('select 1 from chunk where base_id = $1', [base.slice(3)])).rows.length
  await vi.waitUntil(async () => (await left()) === 0 && (await idle()), { timeout: 120_000, interval: 100 })
  expect(await left()).toBe(0)
}, 180_000)
