import { readdir } from 'node:fs/promises'
import { afterAll, expect, inject, it } from 'vitest'
import { deadLetterOf } from '../jobs/jobs.ts'
import { shortJobsQueue } from '../jobs/short-jobs.ts'
import { diagnose } from '../doctor/doctor.ts'
import { checkSecrets } from '../doctor/secrets.ts'
import { sharedFilesFault } from '../installation/shared-files.ts'
import { openBundledEmbedder } from '../knowledge/embed/bundled.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { jobNames, queues } from '../queues.ts'
import { testApp } from '../testing/app.ts'
import { catalogOf } from '../testing/catalog.ts'
import { endDelays, jobName } from '../testing/delayed-jobs.ts'
import { openFormerDatabase, recordedAt } from '../testing/former-database.ts'
import { copyOfTemplate } from '../testing/template.ts'
import { migrate } from './migrate.ts'
import { ownerQuery } from './owner-query.ts'

const { store, recorded } = await openFormerDatabase(inject('serverUrl'))
const { close, ...kept } = store
afterAll(close)
/** For several services, one after the other. */
const shared = { ...kept, close: async () => undefined }
const { pool } = store.database
const query = ownerQuery(pool)

it('a database of a part of the former migrations, or of a changed one, is refused unchanged', async () => {
  const before = await query<{ name: string; sha256: string }>('select name, sha256 from migration order by name')
  await query(`create table removed as select * from migration where name >= '0065'`)
  await query(`delete from migration where name >= '0065'`)
  await expect(migrate(pool)).rejects.toThrow(
    'The database has migrations only up to 0064_installation.sql, from before version 0.1.0. Start commit',
  )
  await query('insert into migration select * from removed')
  await query(`update migration set sha256 = 'changed' where name = '0040_identity.sql'`)
  await expect(migrate(pool)).rejects.toThrow('The database was made with a changed migration 0040_identity.sql')
  await query(`update migration set sha256 = $1 where name = '0040_identity.sql'`, [
    before.find(({ name }) => name === '0040_identity.sql')?.sha256,
  ])
  await query('drop table removed')
  expect(await query('select name, sha256 from migration order by name')).toEqual(before)
})

it('a database of the former migrations gets the schema of a new one', async () => {
  const fresh = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') })
  const pending = await query<{ id: string; kind: string }>(
    `select id, name as kind from pgboss.job where state < 'active' and name <> all ($1) order by id`,
    [queues.map(({ name }) => name)],
  )
  const newer = (await readdir(new URL('migrations', import.meta.url))).filter((name) => name > '0007').toSorted()
  expect(await migrate(pool)).toEqual(newer)
  expect(pending.length).toBeGreaterThan(5)
  const moved = `select id, data ->> 'handler' as kind from pgboss.job where name = $1 and state < 'active' and group_id = data ->> 'handler' order by id`
  expect(await query(moved, [shortJobsQueue.name])).toEqual(pending)
  const applied = 'select name, sha256 from migration order by name'
  expect(await query(applied)).toEqual(await ownerQuery(fresh.database.pool)(applied))
  const [schema, expected] = [await catalogOf(pool), await catalogOf(fresh.database.pool)]
  expect(schema).toEqual(expected)
  for (const [kind, objects] of Object.entries(schema)) expect([kind, objects.length]).toEqual([kind, expect.toSatisfy((n) => n > 1)])
  expect(await migrate(pool)).toEqual([])
  await fresh.close()
})

/** Returns passages without their scores and order: scores have another scale by now. */
function byChunk(passages: readonly Record<string, unknown>[]): Map<unknown, object> {
  return new Map(
    passages.map(({ chunkId, score: _score, scores, highlights: _highlights, ...passage }) => {
      const { vector } = scores as { vector: number }
      return [chunkId, { ...passage, vector: expect.closeTo(vector, 4) }]
    }),
  )
}

/** Returns an answer, with the pages of a site in one order: they were listed by id, and are listed in the order of the crawl by now. */
function comparable(path: string, answer: unknown): unknown {
  if (!path.endsWith('/pages')) return answer
  const list = answer as { readonly data: readonly { readonly id: string }[] }
  return { ...list, data: list.data.toSorted((a, b) => a.id.localeCompare(b.id)) }
}

it('a migrated database answers as before, is intact, and continues', async () => {
  const { app, platform } = await testApp({ store: shared, embedder: await openBundledEmbedder(), now: () => recordedAt })
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const response = await app.inject({ method, url, headers: { authorization: `Bearer ${recorded.token}` }, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.json() }
  }
  for (const { path, answer } of recorded.reads) {
    const { status, body } = await call('GET', path)
    // Records may have further fields by now.
    expect({ path, status, body: comparable(path, body) }).toMatchObject({ path, status: 200, body: comparable(path, answer) })
  }
  for (const { path, body, answer } of recorded.searches) {
    const found = (await call('POST', path, body)).body
    expect(byChunk(found.data)).toEqual(byChunk(answer.data))
    expect(found.data[0].chunkId).toBe(answer.data[0]?.['chunkId'])
    expect(found).toMatchObject({ query: answer.query, scoredBy: answer.scoredBy, degraded: answer.degraded })
  }
  const { findings } = await diagnose(
    { query, database: store.database, jobs: platform.jobs, storage: store.files },
    { repair: false, graceSeconds: 0, now: new Date(Date.now() + 1000) },
  )
  // Nobody receives the webhooks of this database.
  expect(findings.filter(({ check }) => check !== 'webhook')).toEqual([])
  expect(await checkSecrets({ query, dataDir: '', setting: store.secretKey.current })).toEqual([])
  expect(await sharedFilesFault({ query, storage: store.files })).toBeNull()

  const events = async () => (await call('GET', '/v1/events?limit=100')).body.data
  const before = await events()
  const { status, body } = await call('POST', '/v1/contacts', { email: 'new@example.com' })
  expect(status).toBe(201)
  const [newest, ...older] = await events()
  expect(newest).toMatchObject({ type: 'contact.created', data: body })
  expect(older).toEqual(before.slice(0, older.length))
})

it('each proposal of a migrated database has its contact as its only signer, and its former content hash', async () => {
  const { app } = await testApp({ store: shared, now: () => recordedAt })
  const get = async (url: string) => (await app.inject({ url, headers: { authorization: `Bearer ${recorded.token}` } })).json()
  const { data: proposals } = await get('/v1/proposals?limit=100')
  const former = recorded.reads.find(({ path }) => path === '/v1/proposals?limit=100')?.answer as { data: { contentHash: string }[] }
  expect(proposals.map((proposal: { contentHash: string }) => proposal.contentHash)).toEqual(
    former.data.map(({ contentHash }) => contentHash),
  )
  expect(proposals.length).toBeGreaterThan(3)
  for (const { contactId, sentAt, url, recipients } of proposals) {
    const { firstName, lastName, email } = await get(`/v1/contacts/${contactId}`)
    const link = sentAt === null ? null : expect.stringMatching(/^http:\/\/groundwork\.test\/p\/[\w-]{67}$/)
    expect({ url, recipients }).toEqual({
      url: link,
      recipients: [
        {
          id: expect.stringMatching(/^rcp_/),
          role: 'signer',
          contactId,
          language: null,
          name: [firstName, lastName].filter(Boolean).join(' ') || null,
          email,
          status: sentAt === null ? 'waiting' : 'pending',
          url,
          viewedAt: null,
          signedAt: null,
          delivery: sentAt === null ? null : { state: 'withheld', reason: expect.any(String) },
          deliveredAt: null,
        },
      ],
    })
  }
})

it('the jobs of a migrated database are done, and no former queue is left', async () => {
  const declared = await query<{ name: string }>('select name from pgboss.queue')
  expect(declared.map(({ name }) => name).toSorted()).toEqual(queues.flatMap((queue) => [queue.name, deadLetterOf(queue)]).toSorted())
  const waiting = await query<{ id: string; name: string }>(`select id, ${jobName} as name from pgboss.job where state < 'active'`)
  const ids = waiting.map(({ id }) => id)
  expect(waiting.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['delete-files', 'forget-events', 'purge-contact', 'purge-idempotency-answers']),
  )
  const worker = { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) }
  await testApp({ store: shared, worker, now: () => new Date('2030-01-01') })
  for (const name of jobNames) await endDelays(store.database, name)
  const states = await query<{ state: string }>('select distinct state from pgboss.job where id = any ($1::uuid[])', [ids])
  expect(states).toEqual([{ state: 'completed' }])
})
