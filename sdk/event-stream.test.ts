import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import type { Source } from '@groundwork/api'
import type { Groundwork } from './client.ts'
import type { EventOf, StreamOptions } from './event-stream.ts'
import { clientAnswered, eventStreamAnswer, json, never, refused, useFakeTimers } from './testing.ts'

const timers = useFakeTimers()

const frame = (id: string, type = 'source.completed'): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, data: {} })}\n\n`
const newest = (...ids: string[]): Response => json({ data: ids.map((id) => ({ id })), nextCursor: null })
const empty = 'evt_00000000-0000-0000-0000-000000000000'

/** Reads the stream in the background and collects the event ids. */
function reading(client: Groundwork, options: StreamOptions = {}): { ids: string[]; ended: Promise<unknown> } {
  const ids: string[] = []
  const read = async (): Promise<void> => {
    for await (const { id } of client.events.stream(options)) ids.push(id)
  }
  return {
    ids,
    ended: read().then(
      () => 'ended',
      (error: unknown) => error,
    ),
  }
}
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)
const lastEventIds = (requests: Request[]): (string | null)[] =>
  requests.filter(({ url }) => url.includes('/stream')).map(({ headers }) => headers.get('last-event-id'))

describe('the event stream', () => {
  test('yields each new event', async () => {
    const stream = eventStreamAnswer()
    const { client, requests } = clientAnswered([newest('evt_1'), stream.answer])
    const { ids } = reading(client, { types: ['source.completed', 'base.created'] })
    await settle()
    stream.send(':\n\nid: evt_2\ndata: {"id":"evt_2",')
    await settle()
    expect(ids).toEqual([])
    stream.send(`"type":"source.completed"}\n\n${frame('evt_3')}`)
    await settle()
    expect(ids).toEqual(['evt_2', 'evt_3'])
    expect(requests.map(({ url }) => url.slice('http://groundwork.test'.length))).toEqual([
      '/v1/events?limit=1',
      '/v1/events/stream?type=source.completed&type=base.created',
    ])
    expect(lastEventIds(requests)).toEqual(['evt_1'])
    expect(requests[1]?.headers.get('authorization')).toBe('Bearer gw_token')
    expect(requests[1]?.headers.get('accept')).toBe('text/event-stream')
  })

  test('continues after the last event when the connection ends or fails', async () => {
    const [first, second, third] = [eventStreamAnswer(), eventStreamAnswer(), eventStreamAnswer()]
    const { client, requests } = clientAnswered([
      newest(),
      first.answer,
      second.answer,
      new TypeError('fetch failed'),
      refused(502, 'x'),
      third.answer,
    ])
    const { ids } = reading(client)
    await settle()
    first.end()
    await vi.advanceTimersByTimeAsync(1_000)
    second.send(frame('evt_5'))
    await settle()
    second.fail()
    await vi.advanceTimersByTimeAsync(10_000)
    third.send(frame('evt_6'))
    await settle()
    expect(ids).toEqual(['evt_5', 'evt_6'])
    expect(lastEventIds(requests)).toEqual([empty, empty, 'evt_5', 'evt_5', 'evt_5'])
  })

  test('reconnects without limit after the first connection, with growing pauses', async () => {
    const stream = eventStreamAnswer()
    const away = Array.from({ length: 30 }, () => new TypeError('fetch failed'))
    const back = eventStreamAnswer(frame('evt_10'))
    const { client, requests } = clientAnswered([stream.answer, ...away, back.answer])
    const { ids } = reading(client, { lastEventId: 'evt_9' })
    await settle()
    stream.fail()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests.length).toBeLessThan(15)
    await vi.advanceTimersByTimeAsync(240_000)
    expect(ids).toEqual(['evt_10'])
  })

  test('reports when a connection is made and lost', async () => {
    const [first, second] = [eventStreamAnswer(), eventStreamAnswer()]
    const { client } = clientAnswered([first.answer, new TypeError('fetch failed'), second.answer])
    const told: boolean[] = []
    reading(client, { lastEventId: 'evt_1', onConnection: (connected) => told.push(connected) })
    expect(told).toEqual([])
    await settle()
    expect(told).toEqual([true])
    first.end()
    await settle()
    expect(told).toEqual([true, false])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).toEqual([true, false, false, true])
  })

  test('reconnects after 45 seconds of silence, but not while keep-alives arrive or the reader is slow', async () => {
    const [first, second] = [eventStreamAnswer(), eventStreamAnswer()]
    const { client, requests } = clientAnswered([first.answer, second.answer])
    reading(client, { lastEventId: 'evt_1' })
    await settle()
    for (let count = 0; count < 5; count++) {
      await vi.advanceTimersByTimeAsync(44_000)
      first.send(':\n\n')
      await settle()
    }
    await vi.advanceTimersByTimeAsync(44_999)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_001)
    expect(requests).toHaveLength(2)
    expect(requests[0]?.signal.aborted).toBe(true)

    const slow = eventStreamAnswer()
    const other = clientAnswered([slow.answer])
    const events = other.client.events.stream({ lastEventId: 'evt_1' })[Symbol.asyncIterator]()
    const next = events.next()
    await settle()
    slow.send(frame('evt_2') + frame('evt_3'))
    await next
    await vi.advanceTimersByTimeAsync(100_000)
    expect((await events.next()).value).toMatchObject({ id: 'evt_3' })
    expect(other.requests).toHaveLength(1)
  })

  test('a connection without a response is retried', async () => {
    const stream = eventStreamAnswer()
    const { client, requests } = clientAnswered([never, stream.answer])
    const { ids } = reading(client, { lastEventId: 'evt_1' })
    await vi.advanceTimersByTimeAsync(46_000)
    stream.send(frame('evt_2'))
    await settle()
    expect([ids, requests.length]).toEqual([['evt_2'], 2])
  })

  test('ends without an error on abort in any state, and with its loop', async () => {
    const stream = eventStreamAnswer()
    const cases = [[stream.answer], [never], [new TypeError('fetch failed'), never]]
    for (const given of cases) {
      const { client } = clientAnswered(given)
      const abort = new AbortController()
      const { ended } = reading(client, { lastEventId: 'evt_1', signal: abort.signal })
      await settle()
      abort.abort(new Error('enough'))
      expect(await ended).toBe('ended')
    }
    const { client, requests } = clientAnswered([])
    expect(await reading(client, { signal: AbortSignal.abort() }).ended).toBe('ended')
    expect(requests).toHaveLength(0)

    const together = eventStreamAnswer(frame('evt_2') + frame('evt_3'))
    const two = clientAnswered([together.answer])
    const abort = new AbortController()
    const seen: string[] = []
    for await (const { id } of two.client.events.stream({ lastEventId: 'evt_1', signal: abort.signal })) {
      seen.push(id)
      abort.abort()
    }
    expect(seen).toEqual(['evt_2'])

    const left = eventStreamAnswer()
    const leaving = clientAnswered([left.answer])
    const loop = (async () => {
      for await (const event of leaving.client.events.stream({ lastEventId: 'evt_1' })) return event.id
      return undefined
    })()
    await settle()
    expect(timers.size).toBe(1)
    left.send(frame('evt_2'))
    expect(await loop).toBe('evt_2')
    expect(leaving.requests[0]?.signal.aborted).toBe(true)
    expect(timers.size).toBe(0)
  })

  test.each([
    [401, 'unauthorized', 'AuthenticationError'],
    [403, 'forbidden', 'PermissionDeniedError'],
    [400, 'bad_request', 'BadRequestError'],
  ])('ends with an error on %i, also after a connection', async (status, code, name) => {
    const stream = eventStreamAnswer()
    const { client } = clientAnswered([stream.answer, refused(status, code)])
    const { ended } = reading(client, { lastEventId: 'evt_1' })
    await settle()
    stream.end()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await ended).toMatchObject({ name, status, requestId: 'req_1' })
  })

  test('waits for Retry-After on 429, without limit', async () => {
    const stream = eventStreamAnswer(frame('evt_2'))
    const full = Array.from({ length: 9 }, () => refused(429, 'rate_limited'))
    const { client, requests } = clientAnswered([refused(429, 'rate_limited', { 'retry-after': '90' }), ...full, stream.answer])
    const { ids } = reading(client, { lastEventId: 'evt_1' })
    await vi.advanceTimersByTimeAsync(89_000)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(ids).toEqual(['evt_2'])
  })

  test('throws when the first connection has failed maxRetries times, and immediately for a response that is not a stream', async () => {
    const failing = clientAnswered([new TypeError('fetch failed'), new TypeError('fetch failed'), new TypeError('fetch failed')])
    const { ended } = reading(failing.client, { lastEventId: 'evt_1' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await ended).toMatchObject({ name: 'ConnectionError' })
    const page = clientAnswered([new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } })])
    expect(await reading(page.client, { lastEventId: 'evt_1' }).ended).toMatchObject({ code: 'invalid_answer' })
  })

  test('narrows events by their type', () => {
    expectTypeOf<EventOf<'source.failed'>['data']['errorCode']>().toEqualTypeOf<Source['errorCode']>()
    expectTypeOf<EventOf<'source.failed' | 'base.created'>['type']>().toEqualTypeOf<'source.failed' | 'base.created'>()
    const told = async (client: Groundwork): Promise<string | null> => {
      for await (const event of client.events.stream()) {
        if (event.type === 'contact.created') return event.data.email
        if (event.type === 'source.failed') return event.data.error
      }
      return null
    }
    expectTypeOf(told).returns.resolves.toEqualTypeOf<string | null>()
  })
})
