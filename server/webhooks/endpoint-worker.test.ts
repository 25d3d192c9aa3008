import { describe, expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { createDispatcher, startDispatcher } from './dispatcher.ts'
import { releaseClaimedDeliveries } from './release.ts'
import { receiver } from '../testing/webhook-receiver.ts'

let aheadMs = 0
const { organization, platform, database } = await testApp({ now: () => new Date(Date.now() + aheadMs) })
const outbound = createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' })

const create = async ({ call }: Caller, url: string): Promise<string> => (await call('POST', '/v1/webhooks', { url })).body.id
const contact = ({ call }: Caller) => call('POST', '/v1/contacts', { email: 'a@example.com' })
const deliveries = async ({ call }: Caller, id: string) => (await call('GET', `/v1/webhooks/${id}/deliveries?limit=100`)).body.data

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((resolved) => (resolve = resolved))
  return { promise, resolve }
}

describe('an endpoint that does not answer', () => {
  it('delays no other endpoint, and gets few concurrent requests', async () => {
    const [caller, other] = [await organization(), await organization()]
    const [slow, quick, foreign] = [await receiver(), await receiver(), await receiver()]
    const [release, all] = [deferred<void>(), deferred<void>()]
    slow.answer = () => release.promise.then(() => ({ status: 200 }))
    const events = 40
    const arrived = () => {
      if (quick.received.length === events && foreign.received.length === 1) all.resolve(undefined)
      return { status: 200 }
    }
    quick.answer = foreign.answer = arrived
    const slowId = await create(caller, slow.url)
    await create(caller, quick.url)
    await create(other, foreign.url)
    const dispatcher = startDispatcher(platform, outbound)
    for (let n = 0; n < events; n += 1) await contact(caller)
    await contact(other)
    // All others have received everything before the slow endpoint has answered.
    await all.promise
    expect(slow.received.length).toBeLessThanOrEqual(8)
    release.resolve(undefined)
    const done = deferred<void>()
    slow.answer = () => {
      if (new Set(slow.received.map(({ event }) => event.id)).size === events) done.resolve(undefined)
      return { status: 200 }
    }
    await done.promise
    await dispatcher.stop()
    expect((await deliveries(caller, slowId)).every(({ status }: { status: string }) => status === 'succeeded')).toBe(true)
  })

  it('does not delay shutdown, and the next program delivers its event', async () => {
    const caller = await organization()
    const endpoint = await receiver()
    const [requested, never] = [deferred<void>(), deferred<never>()]
    endpoint.answer = () => {
      requested.resolve(undefined)
      return never.promise
    }
    const id = await create(caller, endpoint.url)
    const dispatcher = startDispatcher(platform, outbound)
    await contact(caller)
    await requested.promise
    await dispatcher.stop()
    expect(await deliveries(caller, id)).toMatchObject([{ status: 'pending', attempts: 0, nextAttemptAt: expect.any(String) }])
    endpoint.answer = () => ({ status: 200 })
    const next = createDispatcher(platform, outbound)
    await next.poll()
    await next.idle()
    expect(await deliveries(caller, id)).toMatchObject([{ status: 'succeeded', attempts: 1 }])
  })
})

describe('a delivery that a killed program had claimed', () => {
  async function taken() {
    const caller = await organization()
    const endpoint = await receiver()
    const id = await create(caller, endpoint.url)
    await contact(caller)
    const [{ id: deliveryId }] = await deliveries(caller, id)
    const lease = new Date(platform.now().getTime() + 30_000)
    await database.pool.query('update webhook_delivery set in_flight = true, next_attempt_at = $2 where id = $1', [
      deliveryId.slice(4),
      lease,
    ])
    const round = async () => {
      const dispatcher = createDispatcher(platform, outbound)
      await dispatcher.poll()
      await dispatcher.idle()
      return endpoint.received.length
    }
    return { caller, id, deliveryId, round }
  }

  it('is due again when its lease expires', async () => {
    const { caller, id, round } = await taken()
    expect(await round()).toBe(0)
    expect(await deliveries(caller, id)).toMatchObject([{ status: 'pending', nextAttemptAt: null }])
    aheadMs += 31_000
    expect(await round()).toBe(1)
    expect(await deliveries(caller, id)).toMatchObject([{ status: 'succeeded' }])
  })

  it('is due at the next start of a program that has the database to itself', async () => {
    const { round } = await taken()
    await releaseClaimedDeliveries(database.pool)
    expect(await round()).toBe(1)
  })
})

describe('a late outcome of an attempt', () => {
  async function late(act: (caller: Caller, id: string, deliveryId: string) => Promise<unknown>, status: number) {
    const caller = await organization()
    const endpoint = await receiver()
    const [requested, answer] = [deferred<void>(), deferred<{ status: number }>()]
    endpoint.answer = () => {
      requested.resolve(undefined)
      return answer.promise
    }
    const id = await create(caller, endpoint.url)
    await contact(caller)
    const dispatcher = createDispatcher(platform, outbound)
    await dispatcher.poll()
    await requested.promise
    const [{ id: deliveryId }] = await deliveries(caller, id)
    await act(caller, id, deliveryId)
    endpoint.answer = () => ({ status: 200 })
    answer.resolve({ status })
    await dispatcher.idle()
    return { caller, endpoint, id, delivery: (await deliveries(caller, id))[0] }
  }
  const disable = ({ call }: Caller, id: string) => call('PATCH', `/v1/webhooks/${id}`, { enabled: false })
  const again = ({ call }: Caller, id: string, deliveryId: string) => call('POST', `/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`)

  it('counts as a success even if the endpoint was disabled meanwhile', async () => {
    expect((await late(disable, 200)).delivery).toMatchObject({ status: 'succeeded', attempts: 1 })
  })
  it('causes no retry if the endpoint was disabled meanwhile', async () => {
    expect((await late(disable, 500)).delivery).toMatchObject({ status: 'cancelled', attempts: 1, nextAttemptAt: null })
  })
  it('does not count for a redelivery that was requested meanwhile', async () => {
    const { endpoint, delivery } = await late(again, 500)
    expect(endpoint.received).toHaveLength(2)
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: 2 })
  })
  it('is dropped if the endpoint was deleted meanwhile', async () => {
    const { delivery } = await late(({ call }, id) => call('DELETE', `/v1/webhooks/${id}`), 500).catch(() => ({ delivery: undefined }))
    expect(delivery).toBeUndefined()
  })
})
