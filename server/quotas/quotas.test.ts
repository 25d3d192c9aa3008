import { describe, expect, it } from 'vitest'
import { changeQuota } from '../administration/quota.ts'
import { diagnose } from '../doctor/doctor.ts'
import { ownerQuery } from '../db/owner-query.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { letterEmbedder } from '../testing/letter-embedder.ts'
import { addPage, addText, newBase, sections, settled, smallChunks, upload } from '../testing/sources.ts'
import { storeDefaultQuotas } from './default-quotas.ts'

const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database, platform } = await testApp({ embedder, worker: { outbound } })
const query = ownerQuery(database.pool)

const set = (organizationId: string, options: Parameters<typeof changeQuota>[2]) =>
  changeQuota(database.pool, organizationId, options, new Date())
const usageOf = async ({ call }: Pick<Caller, 'call'>) => (await call('GET', '/v1/organization')).body.usage

/** Repeats a request that a busy machine answered with 503. */
async function newUpload({ call }: Caller, sizeBytes: number, headers?: Record<string, string>) {
  for (;;) {
    const answer = await call('POST', '/v1/uploads', { fileName: 'a.txt', sizeBytes }, headers)
    if (answer.status !== 503) return answer
  }
}

const exceeded = (text: string) => ({ status: 403, body: { error: { code: 'quota_exceeded', message: expect.stringContaining(text) } } })

async function rows({ organizationId }: Caller): Promise<unknown> {
  const [found] = await query(
    `select (select count(*) from upload where organization_id = $1) as uploads, (select count(*) from source where organization_id = $1) as sources,
       (select count(*) from pgboss.job where data ->> 'organizationId' = $1::text and data ? 'keys' and state < 'active') as jobs,
       (select count(*) from organization_use_change) as changes,
       (select count(*) from audit_entry where organization_id = $1 and action like 'upload%') as entries`,
    [organizationId],
  )
  return found
}

describe('the storage quota', () => {
  it('is not exceeded by 50 parallel uploads, and a refused one leaves nothing', async () => {
    const owner = await organization()
    await set(owner.organizationId, { storage: '10kB' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => newUpload(owner, 900)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 11 }, () => 201),
      ...Array.from({ length: 39 }, () => 403),
    ])
    expect(answers.find(({ status }) => status === 403)).toMatchObject(exceeded('can store 10 kB'))
    expect(await rows(owner)).toEqual({ uploads: 11, sources: 0, jobs: 11, changes: 0, entries: 11 })
    expect(await usageOf(owner)).toMatchObject({ storageBytes: { used: 9900, limit: 10_000 }, sources: { used: 0, limit: null } })
    expect(await newUpload(owner, 100)).toMatchObject({ status: 201 })
    const last = await newUpload(owner, 1, { 'idempotency-key': 'k' })
    expect(last).toMatchObject(exceeded('would store 10 kB'))
    await set(owner.organizationId, { storage: '20kB' })
    expect(await newUpload(owner, 1, { 'idempotency-key': 'k' })).toMatchObject({ status: 201 })
  })

  it('counts an upload until its file is deleted', async () => {
    const owner = await organization()
    const base = await newBase(owner)
    const source = await settled(owner, await addText(app, owner, base, 'a'.repeat(500)))
    expect(await usageOf(owner)).toMatchObject({ storageBytes: { used: 500 }, chunks: { used: source.chunksCount }, sources: { used: 1 } })
    await owner.call('DELETE', `/v1/bases/${base}/sources/${source.id}`)
    await expect.poll(() => usageOf(owner)).toMatchObject({ storageBytes: { used: 0 }, chunks: { used: 0 }, sources: { used: 0 } })
  })
})

describe('the quota of sources', () => {
  it('refuses another source, also in parallel, and none for a replaced or deleted one', async () => {
    const owner = await organization()
    const base = await newBase(owner)
    await set(owner.organizationId, { sources: '3' })
    const add = (n: number, path = 'sources') =>
      owner.call('POST', `/v1/bases/${base}/${path}`, { name: 'S', type: 'url', url: `https://example.com/${n}`, externalId: `${n}` })
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => add(n)))
    const added = answers.filter(({ status }) => status === 201)
    expect(added).toHaveLength(3)
    expect(answers.find(({ status }) => status === 403)).toMatchObject(exceeded('can have 3 sources'))
    expect(await rows(owner)).toMatchObject({ sources: 3, changes: 0 })
    expect((await add(Number(added[0]?.body.externalId), 'sources/upsert')).status).toBe(200)
    await owner.call('DELETE', `/v1/bases/${base}/sources/${added[0]?.body.id}`)
    expect((await add(20)).status).toBe(201)
    await owner.call('DELETE', `/v1/bases/${base}`)
    expect(await usageOf(owner)).toMatchObject({ sources: { used: 0, limit: 3 } })
  })

  it('below the use keeps what is there', async () => {
    const owner = await organization()
    const base = await newBase(owner)
    const [first] = await Promise.all([addPage(owner, base, 'https://example.com/a'), addPage(owner, base, 'https://example.com/b')])
    await set(owner.organizationId, { sources: '1' })
    expect((await owner.call('PATCH', `/v1/bases/${base}/sources/${first.id}`, { name: 'T' })).status).toBe(200)
    expect((await owner.call('DELETE', `/v1/bases/${base}/sources/${first.id}`)).status).toBe(204)
    expect(await addPage(owner, base, 'https://example.com/c')).toMatchObject({ error: { code: 'quota_exceeded' } })
  })
})

describe('the quota of chunks', () => {
  it('fails a source that would exceed it, before its chunks are embedded, and keeps the former version', async () => {
    const owner = await organization()
    const base = await newBase(owner, smallChunks)
    const source = await settled(owner, await addText(app, owner, base, sections(4)))
    await set(owner.organizationId, { chunks: '6' })
    const storageUrl = await upload(app, owner, Buffer.from(sections(7, 'other')), 'b.md')
    await owner.call('POST', `/v1/bases/${base}/sources/${source.id}/replace`, { storageUrl })
    expect(await settled(owner, source)).toMatchObject({
      status: 'completed',
      chunksCount: 4,
      errorCode: 'quota_exceeded',
      error: 'The organization can have 6 chunks. With this content, it would have 7.',
    })
    expect(embedder.passages.some((text) => text.includes('other'))).toBe(false)
    const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query: 'part2' })
    expect(body.data[0].text).toContain('part2')
    const replaced = await upload(app, owner, Buffer.from(sections(6, 'third')), 'c.md')
    await owner.call('POST', `/v1/bases/${base}/sources/${source.id}/replace`, { storageUrl: replaced })
    expect(await settled(owner, source)).toMatchObject({ chunksCount: 6, errorCode: null })
    expect(await settled(owner, await addText(app, owner, base, sections(1)))).toMatchObject({
      status: 'failed',
      errorCode: 'quota_exceeded',
    })
    expect(await usageOf(owner)).toMatchObject({ chunks: { used: 6, limit: 6 }, sources: { used: 2 } })
  })

  it('is not exceeded by sources that are processed at the same time', async () => {
    const owner = await organization()
    const base = await newBase(owner, smallChunks)
    await set(owner.organizationId, { chunks: '8' })
    const added = await Promise.all(Array.from({ length: 4 }, (_, n) => addText(app, owner, base, sections(3, `word${n}`))))
    const ended = await Promise.all(added.map((source) => settled(owner, source)))
    expect(ended.map(({ errorCode }) => errorCode ?? '').toSorted()).toEqual(['', '', 'quota_exceeded', 'quota_exceeded'])
    expect(await usageOf(owner)).toMatchObject({ chunks: { used: 6 } })
    const [index] = await query(`select sum(chunks)::integer as chunks from index_generation where organization_id = $1`, [
      owner.organizationId,
    ])
    expect(index).toEqual({ chunks: 6 })
  })
})

describe('quotas', () => {
  it('of the settings apply to organizations without their own', async () => {
    const [first, second] = [await organization(), await organization()]
    await set(second.organizationId, { storage: 'none', sources: '7' })
    await storeDefaultQuotas(query, { storageBytes: 1000, chunks: 50, sources: 5 })
    expect(await usageOf(first)).toMatchObject({ storageBytes: { limit: 1000 }, chunks: { limit: 50 }, sources: { limit: 5 } })
    expect(await usageOf(second)).toMatchObject({ storageBytes: { limit: null }, chunks: { limit: 50 }, sources: { limit: 7 } })
    expect(await newUpload(first, 1001)).toMatchObject(exceeded('can store 1 kB'))
    expect(await newUpload(second, 1001)).toMatchObject({ status: 201 })
    expect(await set(second.organizationId, { sources: 'default' })).toMatchObject({ own: { storageBytes: true, sources: false } })
    await storeDefaultQuotas(query, { storageBytes: null, chunks: null, sources: null })
    expect(await newUpload(first, 1001)).toMatchObject({ status: 201 })
    const { body } = await second.call('GET', '/v1/audit?action=organization.quota_updated')
    expect(body.data).toMatchObject([{ actor: { type: 'command_line' }, targetId: `org_${second.organizationId}` }, {}])
  })

  it('that are nearly used are in the overview, and hidden from limited tokens', async () => {
    const owner = await organization()
    const base = await newBase(owner)
    await set(owner.organizationId, { storage: '1000', chunks: '10', sources: '0' })
    await newUpload(owner, 899)
    const attention = async (headers?: Record<string, string>) =>
      (await owner.call('GET', '/v1/overview', undefined, headers)).body.attention
    expect((await attention()).quotas).toEqual([{ resource: 'sources', used: 0, limit: 0 }])
    await newUpload(owner, 1)
    expect((await attention()).quotas).toMatchObject([{ resource: 'storageBytes', used: 900, limit: 1000 }, { resource: 'sources' }])
    const { body } = await owner.call('POST', '/v1/tokens', { name: 'T', scopes: ['organization:read'], baseIds: [base] })
    const headers = { authorization: `Bearer ${body.token}` }
    expect((await attention(headers)).quotas).toBeNull()
    expect((await owner.call('GET', '/v1/organization', undefined, headers)).body.usage).toBeNull()
  })

  it.each([
    [{ storage: '10GiB' }, '--storage must be a number of bytes'],
    [{ chunks: '-1' }, '--chunks must be a number'],
    [{ sources: '1.5' }, '--sources must be a number'],
  ])('refuse %j', (options, message) => expect(() => set('x', options)).toThrow(message))
})

it('the doctor finds and repairs wrong counters', async () => {
  const owner = await organization()
  await newUpload(owner, 123)
  const tools = { query, database, jobs: platform.jobs, storage: platform.storage }
  const run = (repair: boolean) => diagnose(tools, { repair, graceSeconds: 3600, now: new Date() })
  expect((await run(false)).findings).toEqual([])
  await query('update organization_use set storage_bytes = 7, sources = 4 where organization_id = $1', [owner.organizationId])
  expect((await run(true)).findings).toEqual([
    {
      check: 'wrong_use',
      organizationId: owner.organizationId,
      subject: owner.organizationId,
      detail: 'the counted use is 7 bytes, 0 chunks and 4 sources instead of 123, 0 and 0',
    },
  ])
  expect(await run(false)).toEqual({ findings: [], repaired: 0 })
  expect(await usageOf(owner)).toMatchObject({ storageBytes: { used: 123 } })
})
