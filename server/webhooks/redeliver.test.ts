import { describe, expect, it } from 'vitest'
import type { Context } from '../context.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { createDispatcher } from './dispatcher.ts'
import { redeliverRange, redeliverWork } from './redeliver-range.ts'
import { receiver } from '../testing/webhook-receiver.ts'
import { jobName } from '../testing/delayed-jobs.ts'

const { organization, platform, database } = await testApp()
const outbound = createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' })

async function deliver(): Promise<void> {
  const dispatcher = createDispatcher(platform, outbound)
  await dispatcher.poll()
  await dispatcher.idle()
}

const post = async ({ call }: Caller, path: string, body?: object) => call('POST', path, body)
const create = async (caller: Caller, body: object): Promise<string> => (await post(caller, '/v1/webhooks', body)).body.id
const contact = (caller: Caller) => post(caller, '/v1/contacts', { email: 'a@example.com' })
const deliveries = async ({ call }: Caller, id: string, query = '') =>
  (await call('GET', `/v1/webhooks/${id}/deliveries${query}`)).body.data
const since = '2000-01-01T00:00:00Z'
const count = async (caller: Caller, id: string, body: object) => {
  const answer = await post(caller, `/v1/webhooks/${id}/redeliver`, { since, ...body })
  expect(answer.status).toBe(202)
  return answer.body.count
}

/** Creates an endpoint with one delivery of each status, and an event from before the endpoint. */
async function withOneOfEach(caller: Caller) {
  const endpoint = await receiver()
  await contact(caller)
  const id = await create(caller, { url: endpoint.url, eventTypes: ['contact.created'] })
  await post(caller, '/v1/bases', { name: 'unwanted' })
  for (const status of ['succeeded', 'failed', 'pending', 'cancelled'] as const) {
    await contact(caller)
    endpoint.answer = () => ({ status: status === 'succeeded' ? 200 : 500 })
    await deliver()
    const [{ id: deliveryId }] = await deliveries(caller, id)
    if (status === 'failed' || status === 'cancelled')
      await database.pool.query('update webhook_delivery set status = $2, next_attempt_at = null where id = $1', [
        deliveryId.slice(4),
        status,
      ])
  }
  endpoint.received.length = 0
  endpoint.answer = () => ({ status: 200 })
  return { endpoint, id }
}

const statuses = async (caller: Caller, id: string) => (await deliveries(caller, id)).map(({ status }: { status: string }) => status)

describe('redelivery', () => {
  it('sends one event again immediately, with the same webhook-id', async () => {
    const caller = await organization()
    const { endpoint, id } = await withOneOfEach(caller)
    for (const status of ['succeeded', 'failed', 'pending', 'cancelled']) {
      const [delivery] = await deliveries(caller, id, `?status=${status}`)
      const answer = await post(caller, `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`)
      expect(answer).toMatchObject({ status: 202, body: { id: delivery.id, status: 'pending', attempts: 1 } })
      await deliver()
      expect(endpoint.received.at(-1)?.headers['webhook-id']).toBe(delivery.eventId)
      expect((await caller.call('GET', `/v1/webhooks/${id}/deliveries/${delivery.id}`)).body).toMatchObject({
        status: 'succeeded',
        attempts: 2,
        attemptLog: [{ response: { status: 200 } }, {}],
      })
    }
  })

  it.each([
    ['failed', 2, ['succeeded', 'pending', 'succeeded', 'succeeded']],
    ['missing', 4, ['succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded']],
    ['all', 5, ['succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded']],
  ])('of a range sends the events selected by %s', async (only, expected, after) => {
    const caller = await organization()
    const { endpoint, id } = await withOneOfEach(caller)
    expect(await count(caller, id, { only })).toBe(expected)
    await deliver()
    expect(endpoint.received).toHaveLength(expected)
    expect((await statuses(caller, id)).toSorted()).toEqual(after.toSorted())
    expect(new Set(endpoint.received.map(({ event }) => event.type))).toEqual(new Set(['contact.created']))
    if (only === 'missing') expect(await count(caller, id, {})).toBe(0)
  })

  it('of a range reaches as far back as events are kept', async () => {
    const caller = await organization()
    await contact(caller)
    const id = await create(caller, { url: (await receiver()).url })
    const later = (events: number): Context => ({
      ...caller.ctx,
      now: () => new Date(Date.now() + 100 * 86_400_000),
      retentionDays: { ...caller.ctx.retentionDays, events },
    })
    const range = { since: new Date(since), only: 'missing' } as const
    const found = async (events: number) => (await redeliverRange(later(events), id.slice(4), range)).count
    expect([await found(90), await found(365)]).toEqual([0, 1])
  })

  it('treats since as inclusive and until as exclusive', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    for (let n = 0; n < 3; n += 1) {
      await contact(caller)
      await new Promise((next) => setTimeout(next, 5))
    }
    const id = await create(caller, { url: endpoint.url })
    const [third, second, first] = (await caller.call('GET', '/v1/events')).body.data
    expect(await count(caller, id, { since: first.createdAt, until: third.createdAt })).toBe(2)
    await deliver()
    expect(endpoint.received.map(({ event }) => event.id).toSorted()).toEqual([first.id, second.id].toSorted())
    expect(await count(caller, id, { since: third.createdAt })).toBe(1)
    for (const until of [since, '1999-01-01T00:00:00Z']) {
      const answer = await post(caller, `/v1/webhooks/${id}/redeliver`, { since, until })
      expect(answer).toMatchObject({ status: 422, body: { error: { field: 'until' } } })
    }
  })

  it('of more events than one batch continues in the background', async () => {
    const caller = await organization()
    await contact(caller)
    await database.pool.query(
      `insert into event (organization_id, id, type, data, created_at)
       select organization_id, new_id(created_at), type, data, created_at from event, generate_series(1, 2100) where organization_id = $1`,
      [caller.organizationId],
    )
    const id = await create(caller, { url: 'http://127.0.0.1:9/' })
    expect(await count(caller, id, {})).toBe(2101)
    const waiting = async () =>
      (await database.pool.query('select count(*) as n from webhook_delivery where endpoint_id = $1', [id.slice(4)])).rows[0].n
    expect(await waiting()).toBe(1000)
    const job = async () => {
      const { rows } = await database.pool.query(
        `select id, data from pgboss.job where ${jobName} = $2 and data->>'organizationId' = $1 and state = 'created'`,
        [caller.organizationId, redeliverWork.name],
      )
      await database.pool.query('delete from pgboss.job where id = $1', [rows[0]?.id])
      return rows[0]?.data
    }
    await redeliverWork.run(caller.ctx, await job())
    expect(await waiting()).toBe(2000)
    const last = await job()
    for (let n = 0; n < 2; n += 1) await redeliverWork.run(caller.ctx, last)
    expect([await waiting(), await job()]).toEqual([2101, undefined])
    await database.pool.query('delete from webhook_delivery where endpoint_id = $1', [id.slice(4)])
  })

  it('is refused for a disabled endpoint, and does nothing for one deleted meanwhile', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    const id = await create(caller, { url: endpoint.url })
    await contact(caller)
    await caller.call('PATCH', `/v1/webhooks/${id}`, { enabled: false })
    const [{ id: deliveryId, status }] = await deliveries(caller, id)
    expect(status).toBe('cancelled')
    expect((await post(caller, `/v1/webhooks/${id}/redeliver`, { since })).status).toBe(409)
    expect((await post(caller, `/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`)).status).toBe(409)
    const from = '00000000-0000-0000-0000-000000000000'
    await redeliverWork.run(caller.ctx, { webhookId: id.slice(4), only: 'all', from, to: from })
    await caller.call('DELETE', `/v1/webhooks/${id}`)
    await redeliverWork.run(caller.ctx, { webhookId: id.slice(4), only: 'all', from, to: from })
    await deliver()
    expect(endpoint.received).toEqual([])
  })
})

describe('the list of deliveries', () => {
  it('is paged and filters by status, type and time', async () => {
    const caller = await organization()
    const { id } = await withOneOfEach(caller)
    const all = await deliveries(caller, id)
    expect(all.map(({ status }: { status: string }) => status)).toEqual(['cancelled', 'pending', 'failed', 'succeeded'])
    const first = (await caller.call('GET', `/v1/webhooks/${id}/deliveries?limit=3`)).body
    const second = (await caller.call('GET', `/v1/webhooks/${id}/deliveries?limit=3&cursor=${first.nextCursor}`)).body
    expect([[...first.data, ...second.data], second.nextCursor]).toEqual([all, null])
    expect(await deliveries(caller, id, '?status=failed')).toEqual([all[2]])
    expect(await deliveries(caller, id, '?type=contact.created')).toEqual(all)
    expect(await deliveries(caller, id, '?type=base.created')).toEqual([])
    expect(await deliveries(caller, id, `?createdAfter=${all[1].createdAt}`)).toEqual(all.slice(0, 2))
    expect(await deliveries(caller, id, `?createdBefore=${all[1].createdAt}`)).toEqual(all.slice(2))
    expect(await caller.call('GET', `/v1/webhooks/${id}/deliveries?status=lost`)).toMatchObject({
      status: 400,
      body: { error: { field: 'status' } },
    })
  })

  it('loses a delivery when its event is deleted', async () => {
    const caller = await organization()
    const { id } = await withOneOfEach(caller)
    const before = await deliveries(caller, id)
    await database.pool.query(`update event set created_at = now() - interval '91 days' where organization_id = $1 and id = $2`, [
      caller.organizationId,
      before[3].eventId.slice(4),
    ])
    const { eventRetention } = await import('../events/retention.ts')
    await eventRetention.work.run(caller.ctx, {})
    expect(await deliveries(caller, id)).toEqual(before.slice(0, 3))
  })
})
