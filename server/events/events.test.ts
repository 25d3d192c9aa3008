import { eventTypes } from '@groundwork/api'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { withTransaction } from '../context.ts'
import { SourceError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { expireProposalWork } from '../proposals/expiry.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { endDelays, jobName } from '../testing/delayed-jobs.ts'
import { emit } from './emit.ts'
import { eventRetention } from './retention.ts'

const unit = new Float32Array(384).map((_, index) => (index === 0 ? 1 : 0))
let refusal: SourceError | null = null
const { app, organization, database } = await testApp({
  embedder: {
    model: 'unit@test/float32',
    dimensions: 384,
    async embed(texts) {
      if (refusal !== null) throw refusal
      return texts.map(() => unit)
    },
    competence: () => 1,
    close: async () => undefined,
  },
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})

const eventsOf = async ({ call }: Caller, query = '?limit=100') => (await call('GET', `/v1/events${query}`)).body.data

/** Returns the response of a call and its events, oldest first, without generated values. */
async function eventsAfter(caller: Caller, act: () => Promise<unknown>): Promise<{ type: string; data: unknown }[]> {
  const before = (await eventsOf(caller)).length
  await act()
  const events = await eventsOf(caller)
  return events
    .slice(0, events.length - before)
    .toReversed()
    .map(({ type, data }: { type: string; data: unknown }) => ({ type, data }))
}

async function fileSource({ call }: Caller, base: string, text: string): Promise<string> {
  const { body: upload } = await call('POST', '/v1/uploads', { fileName: 'a.txt', sizeBytes: Buffer.byteLength(text) })
  const url = new URL(upload.uploadUrl).pathname
  await app.inject({ method: 'PUT', url, headers: upload.headers, payload: Readable.from([Buffer.from(text)]) })
  return (await call('POST', `/v1/bases/${base}/sources`, { name: 'S', type: 'file', storageUrl: upload.storageUrl })).body.id
}

async function settled({ call }: Caller, path: string) {
  for (;;) {
    const { body } = await call('GET', path)
    if (body.status !== 'processing') return body
    await new Promise((next) => setTimeout(next, 20))
  }
}

describe('the timeline of a contact', () => {
  it('contains its own events and those of its proposals, newest first and paginated', async () => {
    const { call } = await organization()
    const [one, other] = [
      (await call('POST', '/v1/contacts', { email: 'a@example.com' })).body.id,
      (await call('POST', '/v1/contacts', { email: 'b@example.com' })).body.id,
    ]
    await call('PATCH', `/v1/contacts/${one}`, { firstName: 'Ada' })
    for (const contactId of [one, other]) await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1' })
    await call('POST', '/v1/bases', { name: 'B' })
    const timeline = `/v1/contacts/${one}/timeline`
    const { body } = await call('GET', timeline)
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
      'proposal.sent',
      'proposal.created',
      'contact.updated',
      'contact.created',
    ])
    expect(new Set(body.data.map(({ data }: { data: { id: string; contactId?: string } }) => data.contactId ?? data.id))).toEqual(
      new Set([one]),
    )
    const first = (await call('GET', `${timeline}?limit=3`)).body
    const second = (await call('GET', `${timeline}?limit=3&cursor=${first.nextCursor}`)).body
    expect([...first.data, ...second.data]).toEqual(body.data)
    expect(second.nextCursor).toBeNull()
  })

  it('is 404 for a deleted contact', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', { email: 'a@example.com' })).body
    await call('DELETE', `/v1/contacts/${id}`)
    expect((await call('GET', `/v1/contacts/${id}/timeline`)).status).toBe(404)
  })
})

describe('every change emits an event', () => {
  it('of a contact', async () => {
    const caller = await organization()
    const { call } = caller
    let record: any // oxlint-disable-line typescript/no-explicit-any -- any reply
    const doing = (method: string, path: string, body?: unknown) =>
      eventsAfter(caller, async () => (record = (await call(method, path, body)).body ?? record))
    expect(await doing('POST', '/v1/contacts', { email: 'a@example.com' })).toEqual([{ type: 'contact.created', data: record }])
    const path = `/v1/contacts/${record.id}`
    expect(await doing('PATCH', path, { lastName: 'Moss' })).toEqual([{ type: 'contact.updated', data: record }])
    expect(record.lastName).toBe('Moss')
    const hidden = { ...record, email: null, emails: [], mergedIds: null, lastName: null, consent: null }
    expect(await doing('DELETE', path)).toEqual([{ type: 'contact.deleted', data: hidden }])
    expect(await doing('POST', `${path}/restore`)).toEqual([{ type: 'contact.restored', data: record }])
    expect(await doing('POST', `${path}/restore`)).toEqual([])
    expect(await doing('GET', path)).toEqual([])
  })

  it('of a proposal', async () => {
    const caller = await organization()
    const { call, ctx } = caller
    const contactId = (await call('POST', '/v1/contacts', { email: 'a@example.com' })).body.id
    const proposal = { title: 'T', contactId, totalAmount: '1', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
    let record: any // oxlint-disable-line typescript/no-explicit-any -- any reply
    const doing = (path: string, body?: unknown) =>
      eventsAfter(caller, async () => (record = (await call('POST', path, body)).body ?? record))
    expect(await doing('/v1/proposals', { ...proposal, draft: true })).toEqual([{ type: 'proposal.created', data: record }])
    expect(await doing(`/v1/proposals/${record.id}/send`)).toEqual([{ type: 'proposal.sent', data: record }])
    expect(record.number).toMatch(/^P-/)
    expect(await doing(`/v1/proposals/${record.id}/void`, { reason: 'x' })).toEqual([{ type: 'proposal.voided', data: record }])
    expect(await doing('/v1/proposals', proposal)).toEqual([
      { type: 'proposal.created', data: record },
      { type: 'proposal.sent', data: record },
    ])
    const late = { ...ctx, now: () => new Date(Date.now() + 7_200_000) }
    const expire = () => expireProposalWork.run(late, { proposalId: record.id.slice(4) })
    const expired = await eventsAfter(caller, expire)
    expect(expired).toEqual([{ type: 'proposal.expired', data: (await call('GET', `/v1/proposals/${record.id}`)).body }])
    expect(await eventsAfter(caller, expire)).toEqual([])
  })

  it('of a base', async () => {
    const caller = await organization()
    let record: any // oxlint-disable-line typescript/no-explicit-any -- any reply
    const doing = (method: string, path: string, body?: unknown) =>
      eventsAfter(caller, async () => (record = (await caller.call(method, path, body)).body ?? record))
    expect(await doing('POST', '/v1/bases', { name: 'B' })).toEqual([{ type: 'base.created', data: record }])
    expect(await doing('PATCH', `/v1/bases/${record.id}`, { name: 'C' })).toEqual([{ type: 'base.updated', data: record }])
    const hidden = { ...record, name: '' }
    expect(await doing('DELETE', `/v1/bases/${record.id}`)).toEqual([{ type: 'base.deleted', data: hidden }])
  })

  it('of a source, by callers and by jobs', async () => {
    const caller = await organization()
    const { call } = caller
    const base = (await call('POST', '/v1/bases', { name: 'B' })).body.id
    const id = await fileSource(caller, base, 'The desk opens at nine.')
    const path = `/v1/bases/${base}/sources/${id}`
    const completed = await settled(caller, path)
    const stage = (name: string) => ({ type: 'source.processing', data: { id, status: 'processing', stage: name } })
    const stages = ['indexing', 'embedding', 'chunking', 'extracting', 'queued'].map(stage)
    expect((await eventsOf(caller)).slice(0, 6)).toMatchObject([{ type: 'source.completed', data: completed }, ...stages])
    const hidden = { id, baseId: base, name: '', contentHash: null, chunksCount: completed.chunksCount }
    expect(await eventsAfter(caller, () => call('DELETE', path))).toMatchObject([{ type: 'source.deleted', data: hidden }])

    refusal = new SourceError('embedding_failed', 'The embedding endpoint refused the key.')
    const other = `/v1/bases/${base}/sources/${await fileSource(caller, base, 'Another text.')}`
    const failed = await settled(caller, other)
    refusal = null
    expect((await eventsOf(caller))[0]).toMatchObject({ type: 'source.failed', data: failed })
    expect(failed.errorCode).toBe('embedding_failed')
    await call('POST', `${other}/retry`)
    const again = await settled(caller, other)
    const since = (await eventsOf(caller)).map(({ type }: { type: string }) => type)
    expect(since.slice(0, since.indexOf('source.failed'))).toEqual(['source.completed', ...Array(5).fill('source.processing')])
    expect((await eventsOf(caller))[0]).toMatchObject({ type: 'source.completed', data: again })
  })

  it('except when it is rejected or rolled back', async () => {
    const caller = await organization()
    const { call, ctx } = caller
    const { body: contact } = await call('POST', '/v1/contacts', { email: 'a@example.com', externalId: 'x' })
    const nothing = await eventsAfter(caller, async () => {
      await call('POST', '/v1/contacts', { email: 'b@example.com', externalId: 'x' })
      await call('PATCH', `/v1/contacts/${newId()}`, { lastName: 'X' })
      await call('DELETE', `/v1/bases/${newId()}`)
      const kept = withTransaction(ctx, async (trx) => {
        await emit(ctx, trx, 'contact.updated', contact)
        throw new Error('too late')
      })
      await expect(kept).rejects.toThrow('too late')
    })
    expect(nothing).toEqual([])
  })

  it('and rolls back if the event cannot be stored', async () => {
    const caller = await organization()
    await database.pool.query('alter table event rename to event_away')
    const { status } = await caller.call('POST', '/v1/contacts', { email: 'a@example.com' })
    await database.pool.query('alter table event_away rename to event')
    expect(status).toBe(500)
    expect((await caller.call('GET', '/v1/contacts')).body).toEqual([])
  })
})

describe('GET /v1/events', () => {
  it('paginates all events, newest first, and events of some types', async () => {
    const caller = await organization()
    for (let n = 0; n < 5; n += 1) await caller.call('POST', '/v1/contacts', { email: `a${n}@example.com` })
    await caller.call('POST', '/v1/bases', { name: 'B' })
    const all = await eventsOf(caller)
    expect(all.map(({ type }: { type: string }) => type)).toEqual(['base.created', ...Array.from({ length: 5 }, () => 'contact.created')])
    expect(all[1]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      type: 'contact.created',
      createdAt: expect.any(String),
      data: expect.objectContaining({ email: 'a4@example.com' }),
    })
    const paged = []
    let cursor = ''
    do {
      const { body } = await caller.call('GET', `/v1/events?limit=2&cursor=${cursor}`.replace(/&cursor=$/, ''))
      paged.push(...body.data)
      cursor = body.nextCursor ?? ''
    } while (cursor !== '')
    expect(paged).toEqual(all)
    expect(await eventsOf(caller, '?type=base.created')).toEqual(all.slice(0, 1))
    expect(await eventsOf(caller, '?type=base.created&type=contact.created')).toEqual(all)
    expect(await eventsOf(caller, '?type=base.deleted')).toEqual([])
    expect(await caller.call('GET', '/v1/events?type=base.gone')).toMatchObject({ status: 400, body: { error: { field: 'type' } } })
    expect(await eventsOf(await organization())).toEqual([])
    expect(eventTypes).toHaveLength(40)
  })
})

describe('the log', () => {
  it('is append-only', async () => {
    const { ctx, call } = await organization()
    await call('POST', '/v1/bases', { name: 'B' })
    const change = withTransaction(ctx, (trx) => trx.updateTable('event').set({ type: 'x' }).execute())
    await expect(change).rejects.toMatchObject({ code: '42501' })
    await expect(withTransaction(ctx, (trx) => trx.deleteFrom('event').execute())).rejects.toMatchObject({ code: '42501' })
  })

  it("deletes the organization's events after 90 days, by one job per day", async () => {
    const [caller, other] = [await organization(), await organization()]
    const { rows: before } = await database.pool.query(`select count(*) as n from pgboss.job where ${jobName} = $1`, [
      eventRetention.work.name,
    ])
    for (const { call } of [caller, other]) {
      await call('POST', '/v1/bases', { name: 'old' })
      await call('POST', '/v1/bases', { name: 'new' })
    }
    const { rows: after } = await database.pool.query(`select count(*) as n from pgboss.job where ${jobName} = $1`, [
      eventRetention.work.name,
    ])
    expect(after[0].n - before[0].n).toBe(2)
    const age = `update event set created_at = now() - $2::interval where organization_id = $1 and data->>'name' = $3`
    await database.pool.query(age, [caller.organizationId, '91 days', 'old'])
    await database.pool.query(age, [caller.organizationId, '89 days', 'new'])
    await database.pool.query(
      `update pgboss.job set state = 'cancelled' where ${jobName} = $2 and data->>'organizationId' <> $1 and state < 'active'`,
      [caller.organizationId, eventRetention.work.name],
    )
    await endDelays(database, eventRetention.work.name)
    const names = async (of: Caller) => (await eventsOf(of)).map(({ data }: { data: { name: string } }) => data.name)
    expect(await names(caller)).toEqual(['new'])
    expect(await names(other)).toEqual(['new', 'old'])
  })
})
