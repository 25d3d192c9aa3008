import { describe, expect, test, vi } from 'vitest'
import type { WaitOptions } from './wait.ts'
import { clientAnswered, eventStreamAnswer, json, never, refused, useFakeTimers } from './testing.ts'

const timers = useFakeTimers()

const id = 'src_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'
const processing = (done: number): Response => json({ id, status: 'processing', progress: { done, total: 2, unit: 'chunks' } })
const completed = (): Response => json({ id, status: 'completed', chunksCount: 2 })
const many = (): Response[] => Array.from({ length: 100 }, () => processing(0))

type Given = Parameters<typeof clientAnswered>
const waiting = (given: Given[0], options?: WaitOptions, events: Given[2] = () => refused(403, 'forbidden')) => {
  const { client, requests } = clientAnswered(given, {}, events)
  return { client, requests, ended: client.bases.sources.waitUntilProcessed('kb_1', id, options).catch((error: unknown) => error) }
}

async function outcome(given: Given[0], options?: WaitOptions): Promise<unknown> {
  const { ended } = waiting(given, options)
  await vi.runAllTimersAsync()
  return ended
}

describe('without events', () => {
  test('it polls with growing intervals until the source is completed, and reports every new state once', async () => {
    const seen: string[] = []
    const onProgress: WaitOptions['onProgress'] = ({ status, progress }) => seen.push(`${status} ${progress?.done}`)
    const { ended, requests } = waiting([processing(0), processing(0), processing(0), processing(1), completed()], { onProgress })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await ended).toMatchObject({ status: 'completed', chunksCount: 2 })
    expect(seen).toEqual(['processing 0', 'processing 1', 'completed undefined'])
    expect(requests[0]?.url).toBe(`http://groundwork.test/v1/bases/kb_1/sources/${id}`)
  })

  test('a failed source throws an error with its code and the source', async () => {
    expect(await outcome([json({ id, status: 'failed', error: 'the file is empty', errorCode: 'empty_content' })])).toMatchObject({
      name: 'SourceFailedError',
      code: 'empty_content',
      message: 'the file is empty',
      source: { id },
    })
  })

  test('it waits while the service is unavailable, but not for a deleted source', async () => {
    const away = Array.from({ length: 10 }, () => new TypeError('fetch failed'))
    expect(
      await outcome([processing(0), processing(0), ...away, refused(503, 'unavailable', { 'retry-after': '1' }), completed()]),
    ).toMatchObject({
      status: 'completed',
    })
    expect(await outcome([processing(0), refused(404, 'not_found')])).toMatchObject({ code: 'not_found' })
  })

  test('it times out after timeoutMs and can be aborted', async () => {
    vi.setSystemTime(0)
    expect(await outcome(many(), { timeoutMs: 60_000 })).toMatchObject({ name: 'TimeoutError' })
    expect(Date.now()).toBe(60_000)
    const abort = new AbortController()
    const { ended } = waiting(many(), { signal: abort.signal })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(timers.size).toBeGreaterThan(0)
    abort.abort(new Error('enough'))
    expect(await ended).toEqual(new Error('enough'))
    expect(timers.size).toBe(0)
  })
})

/** Returns a client of a service with an event stream, and the number of requests for that stream. */
function eventsOf(answers: ((request: Request) => Response | Promise<Response>)[]) {
  const streamRequests: Request[] = []
  const events = (request: Request): Response | Promise<Response> => {
    if (!request.url.includes('/stream')) return json({ data: [{ id: 'evt_1' }], nextCursor: null })
    streamRequests.push(request)
    return (answers.shift() ?? never)(request)
  }
  return { streamRequests, events }
}
const eventText = (type: string, sourceId = id): string =>
  `id: evt_2\nevent: ${type}\ndata: ${JSON.stringify({ id: 'evt_2', type, data: { id: sourceId } })}\n\n`
const another = 'src_0197a2c4-9c1e-7b52-8f0e-000000000000'

describe('with events', () => {
  test('it polls once after the stream is connected, and then after each event', async () => {
    const stream = eventStreamAnswer()
    const { events } = eventsOf([stream.answer])
    const { ended, requests } = waiting([processing(0), processing(0), completed()], {}, events)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(requests).toHaveLength(2)
    stream.send(eventText('source.completed', another))
    await vi.advanceTimersByTimeAsync(0)
    expect(requests).toHaveLength(2)
    stream.send(eventText('source.completed'))
    expect(await ended).toMatchObject({ status: 'completed' })
    expect(timers.size).toBe(0)
  })

  test('it opens no stream for a processed source', async () => {
    const { events, streamRequests } = eventsOf([])
    expect(await waiting([completed()], {}, events).ended).toMatchObject({ status: 'completed' })
    expect(streamRequests).toHaveLength(0)
  })

  test('it polls for progress, since progress has no events', async () => {
    const seen: number[] = []
    const { events } = eventsOf([eventStreamAnswer().answer])
    const onProgress: WaitOptions['onProgress'] = ({ progress }) => seen.push(progress?.done)
    waiting([processing(0), processing(0), processing(1), processing(2), never], { onProgress }, events)
    await vi.advanceTimersByTimeAsync(1_500)
    expect(seen).toEqual([0, 1])
    await vi.advanceTimersByTimeAsync(1_500)
    expect(seen).toEqual([0, 1, 2])
  })

  test('concurrent waits share one stream, which closes with the last of them', async () => {
    const stream = eventStreamAnswer()
    const { events, streamRequests } = eventsOf([stream.answer])
    const state = new Map([id, another].map((sourceId) => [sourceId, processing]))
    const given = Array.from({ length: 20 }, () => (request: Request) => (state.get(request.url.slice(-40)) ?? processing)(0))
    const { client, ended } = waiting(given, {}, events)
    await vi.advanceTimersByTimeAsync(1_000)
    let other: unknown
    void client.bases.sources.waitUntilProcessed('kb_1', another.slice(4).toUpperCase()).then((source) => (other = source))
    await vi.advanceTimersByTimeAsync(1_000)
    state.set(id, completed)
    stream.send(eventText('source.completed'))
    await ended
    expect([streamRequests.length, streamRequests[0]?.signal.aborted, other]).toEqual([1, false, undefined])
    state.set(another.slice(4).toUpperCase().slice(-40), completed)
    given.splice(0, given.length, completed)
    stream.send(eventText('source.failed', another))
    await vi.advanceTimersByTimeAsync(0)
    expect(other).toMatchObject({ status: 'completed' })
    expect([streamRequests.length, streamRequests[0]?.signal.aborted]).toEqual([1, true])
    expect(timers.size).toBe(0)
  })

  test('a wait that joins an open stream polls once more, too', async () => {
    const { events } = eventsOf([eventStreamAnswer().answer])
    const { client, requests } = waiting(many(), {}, events)
    await vi.advanceTimersByTimeAsync(1_000)
    const before = requests.length
    void client.bases.sources.waitUntilProcessed('kb_1', another).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(requests.length - before).toBe(2)
  })

  test('it polls as without events while the stream is disconnected', async () => {
    const stream = eventStreamAnswer()
    const { events } = eventsOf([stream.answer])
    const { requests } = waiting(many(), {}, events)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(requests).toHaveLength(2)
    stream.fail()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(requests.length).toBeGreaterThan(6)
  })

  test('it does not retry the stream if the token lacks the scope for events', async () => {
    let streamRequests = 0
    const { client } = clientAnswered([processing(0), completed(), processing(0), completed()], {}, () => {
      streamRequests += 1
      return refused(403, 'forbidden')
    })
    for (let count = 0; count < 2; count++) {
      const wait = client.bases.sources.waitUntilProcessed('kb_1', id)
      await vi.runAllTimersAsync()
      expect(await wait).toMatchObject({ status: 'completed' })
    }
    expect(streamRequests).toBe(1)
  })

  test('a failed stream is retried by the next wait, while others continue', async () => {
    const stream = eventStreamAnswer()
    let away = true
    const { streamRequests, events } = eventsOf([stream.answer])
    const { client } = waiting(many(), {}, (request) => {
      if (away) throw new TypeError('fetch failed')
      return events(request)
    })
    await vi.advanceTimersByTimeAsync(10_000)
    away = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(streamRequests).toHaveLength(0)
    void client.bases.sources.waitUntilProcessed('kb_1', another).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(streamRequests).toHaveLength(1)
  })
})
