import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp } from '../testing/app.ts'
import { letterEmbedder } from '../testing/letter-embedder.ts'
import { newBase, settled, upload } from '../testing/sources.ts'
import { diagnose, type Diagnosis } from './doctor.ts'

const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database, platform } = await testApp({ embedder: letterEmbedder(), worker: { outbound } })
const owner = await organization()
const base = await newBase(owner)
const { pool } = database

const runDoctor = (repair = false): Promise<Diagnosis> =>
  diagnose(
    {
      query: async <Row>(text: string, values?: unknown[]) => (await pool.query(text, values)).rows as Row[],
      database,
      jobs: platform.jobs,
      storage: platform.storage,
    },
    { repair, graceSeconds: 0, now: new Date(Date.now() + 1000) },
  )

let files = 0
async function source() {
  const storageUrl = await upload(app, owner, Buffer.from(`Note ${(files += 1)}: the spare key lies under the third stone.`))
  return settled(owner, (await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'n', type: 'file', storageUrl })).body)
}

/** Returns whether the doctor finds and repairs the problem, and the source is found by a search again. */
async function isRepaired(id: string, check: string, subject = id.slice(4)): Promise<boolean> {
  const { findings } = await runDoctor()
  expect(findings).toEqual([expect.objectContaining({ check, subject, organizationId: owner.organizationId })])
  expect(await runDoctor(true)).toEqual({ findings, repaired: findings.length })
  expect(await settled(owner, { baseId: base, id })).toMatchObject({ status: 'completed', error: null })
  await vi.waitUntil(async () => (await runDoctor()).findings.length === 0, { timeout: 120_000, interval: 200 })
  const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query: 'spare key', sourceIds: [id] })
  return body.data.length === 1
}

describe('the doctor', () => {
  it('reports nothing for an intact database', async () => {
    await source()
    expect(await runDoctor()).toEqual({ findings: [], repaired: 0 })
  })

  it('names webhook endpoints without deliveries, and repairs none', async () => {
    const add = async (set: string): Promise<string> => {
      const { body } = await owner.call('POST', '/v1/webhooks', { url: 'https://hooks.example.com/', eventTypes: ['contact.created'] })
      await pool.query(`update webhook_endpoint set ${set} where id = $1`, [body.id.slice(4)])
      return body.id.slice(4)
    }
    await add(`failing_since = now() - interval '59 minutes'`)
    await add(`enabled = false, disabled_reason = 'gone', disabled_at = now() - interval '8 days'`)
    const failing = await add(`failing_since = '2026-01-02T03:04:05Z'`)
    const gone = await add(`enabled = false, disabled_reason = 'gone', disabled_at = now() - interval '6 days'`)
    const late = await add('enabled = true')
    const expected = [
      [failing, 'its deliveries have failed since 2026-01-02T03:04:05Z'],
      [gone, 'it was disabled, because its receiver answered 410'],
      [late, '1 deliveries have been due for more than an hour'],
    ]
    await owner.call('POST', '/v1/contacts', { email: 'late@example.com' })
    await pool.query(`update webhook_delivery set next_attempt_at = now() - interval '2 hours'`)
    const { findings, repaired } = await runDoctor(true)
    expect(findings.map(({ check, subject, detail }) => [check, subject, detail]).toSorted()).toEqual(
      expected.map(([id, detail]) => ['webhook', id, detail]).toSorted(),
    )
    expect(repaired).toBe(0)
    await pool.query('delete from webhook_endpoint')
    expect((await runDoctor()).findings).toEqual([])
  })

  it('queues the lost job of a source that is processing', async () => {
    const { id } = await source()
    await pool.query(`update source set status = 'processing', generation = nextval('source_generation') where id = $1`, [id.slice(4)])
    await pool.query(
      `insert into document (organization_id, generation, ordinal, base_id, source_id, upload_id, original_key)
       select s.organization_id, s.generation, 0, s.base_id, s.id, s.upload_id, u.storage_key
       from source s join upload u on u.id = s.upload_id where s.id = $1`,
      [id.slice(4)],
    )
    expect(await isRepaired(id, 'stuck')).toBe(true)
  })

  it.each([
    ['chunk', 'a chunk is missing'],
    ['chunk_embedding', 'a vector is missing'],
    ['posting', 'the lexical rows are missing'],
  ])('re-processes a source with damage in %s: %s', async (table) => {
    const { id } = await source()
    await pool.query(`delete from ${table} where generation = (select live_generation from source where id = $1)`, [id.slice(4)])
    expect(await isRepaired(id, 'incomplete')).toBe(true)
  })

  it('re-processes a source with a duplicate passage', async () => {
    const { id } = await source()
    const of = `where generation = (select live_generation from source where id = $1)`
    await pool.query(
      `insert into chunk (organization_id, generation, ordinal, id, base_id, source_id, text, start_offset, end_offset, heading_path, tokens)
       select organization_id, generation, 1, $2, base_id, source_id, text, start_offset, end_offset, heading_path, tokens from chunk ${of}`,
      [id.slice(4), randomUUID()],
    )
    await pool.query(
      `insert into chunk_embedding (organization_id, base_id, generation, ordinal, embedding)
       select organization_id, base_id, generation, 1, embedding from chunk_embedding ${of}`,
      [id.slice(4)],
    )
    await pool.query(`update posting set entries = entries || (1::bigint << 32 | 1) ${of} and term = ''`, [id.slice(4)])
    await pool.query(`update source set chunks_count = 2 where id = $1`, [id.slice(4)])
    expect(await isRepaired(id, 'duplicate_chunks')).toBe(true)
  })

  it('deletes rows of a generation without a source', async () => {
    const { id } = await source()
    await pool.query(
      `insert into posting (organization_id, base_id, term, language, generation, entries) values ($1, $2, 'x', 'en', 999999, '{1}')`,
      [owner.organizationId, base.slice(3)],
    )
    expect(await isRepaired(id, 'orphan_rows', '999999')).toBe(true)
  })

  it('queues the lost job of a re-index, and does not report its rows as orphans', async () => {
    const { id } = await source()
    const reindexes = `/v1/bases/${base}/reindexes`
    const { body } = await owner.call('POST', reindexes, { chunkSize: 64 })
    const ready = async (): Promise<boolean> => (await owner.call('GET', `${reindexes}/${body.id}`)).body.status === 'ready'
    await vi.waitUntil(ready, { timeout: 120_000 })
    expect(await runDoctor()).toMatchObject({ findings: [] })
    await pool.query(`update reindex set status = 'building' where id = $1`, [body.id.slice(4)])
    await pool.query(`update reindex_source set status = 'building' where source_id = $1`, [id.slice(4)])
    expect(await runDoctor(true)).toMatchObject({ findings: [{ check: 'stuck_reindex', subject: id.slice(4) }], repaired: 1 })
    await vi.waitUntil(ready, { timeout: 120_000 })
    await owner.call('POST', `${reindexes}/${body.id}/switch`, {})
    expect(await runDoctor()).toMatchObject({ findings: [] })
    await owner.call('POST', `${reindexes}/${body.id}/rollback`)
    await vi.waitUntil(
      async () => (await pool.query('select 1 from reindex_source where generation is not null limit 1')).rows.length === 0,
      { timeout: 120_000 },
    )
    expect(await runDoctor()).toMatchObject({ findings: [] })
  })

  it('deletes a file without a row after the grace period', async () => {
    const { id } = await source()
    const key = `${owner.organizationId}/originals/left-behind`
    await platform.storage.write(key, Buffer.from('x'))
    const tools = {
      query: async <Row>(text: string) => (await pool.query(text)).rows as Row[],
      database,
      jobs: platform.jobs,
      storage: platform.storage,
    }
    expect((await diagnose(tools, { repair: true, graceSeconds: 3600, now: new Date() })).findings).toEqual([])
    expect(await isRepaired(id, 'orphan_file', key)).toBe(true)
    expect(await platform.storage.exists(key)).toBe(false)
  })

  it('re-processes a source without its text file, and reports a lost upload', async () => {
    const { id } = await source()
    const { rows } = await pool.query('select original_key, content_key from document where source_id = $1', [id.slice(4)])
    await platform.storage.delete(rows[0].content_key)
    expect(await isRepaired(id, 'missing_file')).toBe(true)
    await platform.storage.delete(rows[0].original_key)
    expect(await runDoctor(true)).toMatchObject({ findings: [{ check: 'missing_file', subject: id.slice(4) }], repaired: 0 })
  })
})
