import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { OutboundError } from '../outbound/error.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { createDispatcher } from './dispatcher.ts'
import { retryDelaysSeconds } from './schedule.ts'
import { receiver, type Received } from '../testing/webhook-receiver.ts'

// The Standard Webhooks library compares timestamps with the real time, so the clock of the tests starts there.
let aheadMs = 0
const now = (): Date => new Date(Date.now() + aheadMs)
const pass = (seconds: number): void => void (aheadMs += seconds * 1000)
beforeEach(() => void (aheadMs = 0))

const { organization, platform, database } = await testApp({ now })
const outbound = createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' })

/** Delivers all due events, including those that these deliveries cause. */
async function deliver(through = outbound): Promise<void> {
  const dispatcher = createDispatcher(platform, through)
  await dispatcher.poll()
  await dispatcher.idle()
}

const create = async ({ call }: Caller, body: object): Promise<{ id: string; secret: string }> => {
  const answer = await call('POST', '/v1/webhooks', body)
  expect(answer.status).toBe(201)
  return answer.body
}
const contact = async ({ call }: Caller): Promise<void> => void (await call('POST', '/v1/contacts', { email: 'a@example.com' }))
const events = async ({ call }: Caller) => (await call('GET', '/v1/events?limit=100')).body.data
const deliveries = async ({ call }: Caller, id: string, query = '') =>
  (await call('GET', `/v1/webhooks/${id}/deliveries${query}`)).body.data
const types = (received: Received[]): string[] => received.map(({ event }) => event.type)

describe('an event', () => {
  it('is signed and delivered to the endpoints that subscribe to its type', async () => {
    const [caller, other] = [await organization(), await organization()]
    const [all, bases, off, foreign] = [await receiver(), await receiver(), await receiver(), await receiver()]
    const { id, secret } = await create(caller, { url: all.url })
    await create(caller, { url: bases.url, eventTypes: ['base.created', 'base.deleted'] })
    await create(caller, { url: off.url, enabled: false })
    await create(other, { url: foreign.url })
    await contact(caller)
    await caller.call('POST', '/v1/bases', { name: 'B' })
    await deliver()
    expect([types(all.received).toSorted(), types(bases.received)]).toEqual([['base.created', 'contact.created'], ['base.created']])
    expect([off.received, foreign.received]).toEqual([[], []])
    const log = await events(caller)
    for (const { headers, body, event } of all.received) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(log.find((each: { id: string }) => each.id === event.id))
      expect(headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json', 'user-agent': 'test' })
      expect(body).toBe(JSON.stringify((await caller.call('GET', `/v1/events/${event.id}`)).body))
      expect(() => new Webhook(secret).verify(body.replace('a@', 'b@').replace('"B"', '"C"'), headers)).toThrow(/signature/)
    }
    expect(await deliveries(caller, id)).toMatchObject([
      { type: 'base.created', status: 'succeeded', attempts: 1, responseStatus: 204, nextAttemptAt: null },
      { type: 'contact.created', status: 'succeeded' },
    ])
    await deliver()
    expect(all.received).toHaveLength(2)
  })

  it('goes to endpoints created or enabled before it, and to no deleted endpoint', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    await contact(caller)
    const { id } = await create(caller, { url: endpoint.url, enabled: false })
    await contact(caller)
    await caller.call('PATCH', `/v1/webhooks/${id}`, { enabled: true })
    await contact(caller)
    await deliver()
    expect(endpoint.received).toHaveLength(1)
    await contact(caller)
    await caller.call('DELETE', `/v1/webhooks/${id}`)
    await contact(caller)
    await deliver()
    expect(endpoint.received).toHaveLength(1)
  })

  it('is logged with its request and response, truncated and without secrets', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    endpoint.answer = () => ({
      status: 500,
      headers: { 'x-reason': 'tired', 'set-cookie': 'session=1' },
      body: Buffer.concat([Buffer.from([0, 0xff]), Buffer.alloc(100_000, 'x')]),
    })
    const { id } = await create(caller, { url: endpoint.url })
    await contact(caller)
    await deliver()
    const [{ id: deliveryId }] = await deliveries(caller, id)
    const { body: delivery } = await caller.call('GET', `/v1/webhooks/${id}/deliveries/${deliveryId}`)
    const { headers, body } = endpoint.received[0] as Received
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, responseStatus: 500, error: null, body })
    const [attempt] = delivery.attemptLog
    expect(attempt).toMatchObject({
      durationMs: expect.any(Number),
      request: { url: endpoint.url, headers: { 'webhook-id': headers['webhook-id'], 'webhook-timestamp': headers['webhook-timestamp'] } },
      response: { status: 500, headers: { 'x-reason': 'tired' } },
      error: null,
    })
    expect(attempt.response.body).toMatch(/^\uFFFD\uFFFDx+$/)
    expect(attempt.response.body.length).toBe(8192)
    expect(JSON.stringify(delivery)).not.toContain('session=1')
    expect(JSON.stringify(delivery)).not.toContain(headers['webhook-signature']?.slice(3))
  })
})

describe('after a failure', () => {
  it('an event is retried on schedule, each time with a new timestamp, and then fails', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    endpoint.answer = () => ({ status: 500 })
    const { id, secret } = await create(caller, { url: endpoint.url })
    await contact(caller)
    await deliver()
    for (const [index, seconds] of retryDelaysSeconds.entries()) {
      const [{ status, attempts, nextAttemptAt }] = await deliveries(caller, id)
      expect([status, attempts]).toEqual(['pending', index + 1])
      const delay = (Date.parse(nextAttemptAt) - now().getTime()) / 1000
      expect(delay).toBeGreaterThan(seconds * 0.9 - 60)
      expect(delay).toBeLessThanOrEqual(seconds * 1.1)
      pass(delay - 1)
      await deliver()
      expect(endpoint.received).toHaveLength(index + 1)
      pass(2)
      await deliver()
      expect(endpoint.received).toHaveLength(index + 2)
    }
    expect(retryDelaysSeconds).toHaveLength(9)
    expect(await deliveries(caller, id)).toMatchObject([{ status: 'failed', attempts: 10, nextAttemptAt: null, succeededAt: null }])
    pass(10 * 86_400)
    await deliver()
    expect(endpoint.received).toHaveLength(10)
    const timestamps = endpoint.received.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(timestamps).toEqual(timestamps.toSorted((a, b) => a - b))
    expect(new Set(timestamps).size).toBe(10)
    expect(new Set(endpoint.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Webhook(secret).verify((endpoint.received[0] as Received).body, (endpoint.received[0] as Received).headers)).toBeTruthy()
  })

  it.each([301, 304, 400, 404, 500])('with status %i an event succeeds when a retry succeeds', async (status) => {
    const caller = await organization()
    const endpoint = await receiver()
    endpoint.answer = () => ({ status, headers: { location: endpoint.url } })
    const { id } = await create(caller, { url: endpoint.url })
    await contact(caller)
    await deliver()
    expect(endpoint.received).toHaveLength(1)
    expect((await caller.call('GET', `/v1/webhooks/${id}`)).body.failingSince).not.toBeNull()
    endpoint.answer = () => ({ status: 299 })
    pass(6)
    await deliver()
    expect(await deliveries(caller, id)).toMatchObject([{ status: 'succeeded', attempts: 2, responseStatus: 299 }])
    expect((await caller.call('GET', `/v1/webhooks/${id}`)).body.failingSince).toBeNull()
  })

  it.each([
    ['seconds', () => '90', 90],
    ['a date', () => new Date(now().getTime() + 90_000).toUTCString(), 90],
    ['too much', () => '9'.repeat(30), 86_400],
    ['less than the schedule', () => '1', 4],
    ['nonsense', () => 'later', 4],
  ])('the next attempt waits for Retry-After: %s', async (_what, retryAfter, seconds) => {
    const caller = await organization()
    const endpoint = await receiver()
    endpoint.answer = () => ({ status: 429, headers: { 'retry-after': retryAfter() } })
    const { id } = await create(caller, { url: endpoint.url })
    await contact(caller)
    await deliver()
    const [{ nextAttemptAt }] = await deliveries(caller, id)
    const delay = (Date.parse(nextAttemptAt) - now().getTime()) / 1000
    expect(delay).toBeGreaterThan(seconds - 30)
    expect(delay).toBeLessThanOrEqual(seconds + 2)
  })

  it('with Retry-After, other events wait too', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    endpoint.answer = () => ({ status: 503, headers: { 'retry-after': '120' } })
    await create(caller, { url: endpoint.url })
    const dispatcher = createDispatcher(platform, outbound)
    const round = async () => {
      await dispatcher.poll()
      await dispatcher.idle()
      return endpoint.received.length
    }
    await contact(caller)
    expect(await round()).toBe(1)
    await contact(caller)
    expect(await round()).toBe(1)
    pass(121)
    endpoint.answer = () => ({ status: 200 })
    expect(await round()).toBe(3)
  })

  it('without a response the log has the reason', async () => {
    const caller = await organization()
    const { id } = await create(caller, { url: 'http://127.0.0.1:9/' })
    await contact(caller)
    await deliver()
    expect(await deliveries(caller, id)).toMatchObject([
      { status: 'pending', responseStatus: null, error: expect.stringContaining('refused') },
    ])
  })
})

describe('an endpoint is disabled', () => {
  it('immediately when it answers 410, and the other endpoints get an event', async () => {
    const caller = await organization()
    const [gone, other] = [await receiver(), await receiver()]
    gone.answer = () => ({ status: 410 })
    const { id } = await create(caller, { url: gone.url })
    await create(caller, { url: other.url, eventTypes: ['webhook_endpoint.disabled'] })
    await contact(caller)
    await deliver()
    const { body: record } = await caller.call('GET', `/v1/webhooks/${id}`)
    expect(record).toMatchObject({ enabled: false, disabledReason: 'gone', disabledAt: expect.any(String) })
    expect(await deliveries(caller, id)).toMatchObject([{ status: 'failed', responseStatus: 410 }])
    await contact(caller)
    await deliver()
    expect(gone.received).toHaveLength(1)
    expect(other.received.map(({ event }) => event)).toMatchObject([{ type: 'webhook_endpoint.disabled', data: record }])
    expect((await events(caller)).filter(({ type }: { type: string }) => type.startsWith('webhook'))).toHaveLength(1)
  })

  it('after five days of consecutive failures; pending deliveries can be redelivered later', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    endpoint.answer = () => ({ status: 500 })
    const { id } = await create(caller, { url: endpoint.url })
    const enabled = async () => (await caller.call('GET', `/v1/webhooks/${id}`)).body.enabled
    await contact(caller)
    await deliver()
    pass(4.9 * 86_400)
    await contact(caller)
    await deliver()
    expect(await enabled()).toBe(true)
    endpoint.answer = () => ({ status: 200 })
    await contact(caller)
    await deliver()
    endpoint.answer = () => ({ status: 500 })
    await contact(caller)
    pass(4.9 * 86_400)
    await deliver()
    pass(86_400)
    expect(await enabled()).toBe(true)
    await contact(caller)
    await deliver()
    pass(4.1 * 86_400)
    await contact(caller)
    await deliver()
    expect((await caller.call('GET', `/v1/webhooks/${id}`)).body).toMatchObject({ enabled: false, disabledReason: 'failing' })
    expect((await events(caller))[0]).toMatchObject({ type: 'webhook_endpoint.disabled', data: { id, disabledReason: 'failing' } })
    expect(new Set((await deliveries(caller, id)).map(({ status }: { status: string }) => status))).toEqual(
      new Set(['succeeded', 'cancelled']),
    )
    endpoint.answer = () => ({ status: 200 })
    expect((await caller.call('PATCH', `/v1/webhooks/${id}`, { enabled: true })).body).toMatchObject({ enabled: true, failingSince: null })
    const since = new Date(0).toISOString()
    expect((await caller.call('POST', `/v1/webhooks/${id}/redeliver`, { since })).body.count).toBeGreaterThan(3)
    await deliver()
    expect((await deliveries(caller, id)).every(({ status }: { status: string }) => status === 'succeeded')).toBe(true)
  })
})

describe('rotation', () => {
  it('signs with both secrets until the overlap ends; another rotation ends it immediately', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    const first = await create(caller, { url: endpoint.url })
    const rotate = async (body: object) => (await caller.call('POST', `/v1/webhooks/${first.id}/rotate-secret`, body)).body
    const holds = async (...secrets: string[]) => {
      await contact(caller)
      await deliver()
      const { body, headers } = endpoint.received.at(-1) as Received
      const { 'webhook-id': eventId = '', 'webhook-timestamp': timestamp } = headers
      return secrets.map((secret) => {
        const signed = new Webhook(secret).sign(eventId, new Date(Number(timestamp) * 1000), body)
        return (headers['webhook-signature'] ?? '').split(' ').includes(signed)
      })
    }
    const second = await rotate({})
    expect(second.secret).not.toBe(first.secret)
    expect(Date.parse(second.previousSecretExpiresAt) - now().getTime()).toBeGreaterThan(86_000_000)
    expect(await holds(first.secret, second.secret)).toEqual([true, true])
    expect(endpoint.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
    const { body, headers } = endpoint.received.at(-1) as Received
    for (const secret of [first.secret, second.secret]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
    const third = await rotate({ overlapSeconds: 100, secret: `whsec_${Buffer.alloc(32, 3).toString('base64')}` })
    expect(await holds(first.secret, second.secret, third.secret)).toEqual([false, true, true])
    pass(101)
    expect(await holds(second.secret, third.secret)).toEqual([false, true])
    const fourth = await rotate({ overlapSeconds: 0 })
    expect(fourth.previousSecretExpiresAt).toBeNull()
    expect(await holds(third.secret, fourth.secret)).toEqual([false, true])
  })

  it('restores deliveries after the encryption key of the secret is lost', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    const { id } = await create(caller, { url: endpoint.url })
    await database.pool.query('update webhook_endpoint set secret = $2 where id = $1', [id.slice(4), Buffer.alloc(60)])
    await contact(caller)
    await deliver()
    expect(await deliveries(caller, id)).toMatchObject([{ status: 'pending', error: expect.stringContaining('SECRET_KEY') }])
    const { secret } = (await caller.call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlapSeconds: 0 })).body
    pass(6)
    await deliver()
    const { body, headers } = endpoint.received[0] as Received
    expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
  })
})

describe('a test event', () => {
  it('goes only to its endpoint, once, and is not in the event log', async () => {
    const caller = await organization()
    const [endpoint, other] = [await receiver(), await receiver()]
    const { id, secret } = await create(caller, { url: endpoint.url, eventTypes: ['base.created'] })
    await create(caller, { url: other.url })
    const { status, body: delivery } = await caller.call('POST', `/v1/webhooks/${id}/test`)
    expect([status, delivery]).toMatchObject([202, { type: 'webhook_endpoint.test', status: 'pending', attempts: 0 }])
    endpoint.answer = () => ({ status: 500 })
    await deliver()
    const { body, headers, event } = endpoint.received[0] as Received
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: delivery.eventId, type: 'webhook_endpoint.test', data: { id } })
    expect(event.data).not.toHaveProperty('secret')
    expect((await caller.call('GET', `/v1/webhooks/${id}/deliveries/${delivery.id}`)).body).toMatchObject({
      status: 'failed',
      attempts: 1,
      body,
    })
    expect((await caller.call('GET', `/v1/webhooks/${id}`)).body.failingSince).toBeNull()
    expect([await events(caller), other.received]).toEqual([[], []])
    await caller.call('PATCH', `/v1/webhooks/${id}`, { enabled: false })
    expect((await caller.call('POST', `/v1/webhooks/${id}/test`)).status).toBe(409)
  })
})

describe('a private address', () => {
  it('is refused at every attempt, even if the name resolved to a public address before', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    let [address, looked, dialled] = ['10.0.0.1', 0, 0]
    const guarded = createOutbound({
      allowHosts: [],
      userAgent: 'test',
      resolve: async () => {
        looked += 1
        return [{ address, family: 4 }]
      },
      dial: (_options, _addresses, callback) => {
        dialled += 1
        callback(new OutboundError('fetch_failed', 'dialled'), null)
      },
    })
    const { id } = await create(caller, { url: `http://rebind.example.com:${endpoint.port}/` })
    await contact(caller)
    await deliver(guarded)
    expect(await deliveries(caller, id)).toMatchObject([
      { status: 'pending', error: expect.stringContaining('not on the public internet') },
    ])
    address = '93.184.215.14'
    pass(6)
    await deliver(guarded)
    expect(await deliveries(caller, id)).toMatchObject([{ status: 'pending', error: 'dialled' }])
    address = '127.0.0.1'
    pass(400)
    await deliver(guarded)
    expect(await deliveries(caller, id)).toMatchObject([{ attempts: 3, error: expect.stringContaining('not on the public internet') }])
    expect([looked, dialled, endpoint.received.length]).toEqual([3, 1, 0])
    await guarded.close()
  })
})
