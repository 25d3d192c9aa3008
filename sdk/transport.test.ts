import { describe, expect, test, vi } from 'vitest'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  GroundworkError,
  IdempotencyConflictError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnavailableError,
  ValidationError,
} from './errors.ts'
import { clientAnswered, json, never, refused, useFakeTimers } from './testing.ts'
import { etagOf } from './transport.ts'

const contact = { id: 'ctc_1', email: 'desk@example.com' }

const timers = useFakeTimers()

/** Returns the result or error of a call, with all pauses skipped. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  const ended = call.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return ended
}

describe('a request', () => {
  test('has the URL, token, body and query of the route', async () => {
    const { client, requests } = clientAnswered([json(contact, 201), json([contact])])
    expect(await client.contacts.create({ email: 'desk@example.com' })).toEqual(contact)
    await client.contacts.list({ tag: ['a b', 'c&d'], limit: 2, count: true, q: undefined }).page()
    const [create, list] = requests
    expect([create?.method, create?.url]).toEqual(['POST', 'http://groundwork.test/v1/contacts'])
    expect(create?.headers.get('authorization')).toBe('Bearer gw_token')
    expect(create?.headers.get('content-type')).toBe('application/json')
    expect(await create?.json()).toEqual({ email: 'desk@example.com' })
    expect(list?.url).toBe('http://groundwork.test/v1/contacts?tag=a+b&tag=c%26d&limit=2&count=true')
    expect(list?.headers.has('content-type')).toBe(false)
  })

  test('has an optional body as an argument', async () => {
    const { client, requests } = clientAnswered([json({}), json({}), new Response('a,b')])
    await client.contacts.erase('ctc_1', { dryRun: true })
    await client.contacts.erase('ctc_1')
    await client.contactExports({ format: 'csv' })
    expect(await requests[0]?.json()).toEqual({ dryRun: true })
    expect(requests[1]?.body).toBe(null)
    expect(await requests[2]?.json()).toEqual({ format: 'csv' })
  })

  test('is not sent with options that have no effect', async () => {
    const { client, requests } = clientAnswered([])
    const options = { dryRun: true, signal: new AbortController().signal, toString: 1 }
    const calls = [
      client.contacts.erase('ctc_1', {}, options),
      client.contacts.list({}, options).page(),
      client.contactExports({}, options),
      client.contacts.get('ctc_1', options),
    ]
    for (const call of calls)
      await expect(call).rejects.toThrow(
        expect.objectContaining({ name: 'TypeError', message: expect.stringContaining('dryRun, toString') }),
      )
    expect(requests).toHaveLength(0)
  })

  test('cannot reach another path through an id', async () => {
    const { client, requests } = clientAnswered([refused(404, 'not_found')])
    await outcome(client.contacts.get('../bases?x=#y'))
    expect(requests[0]?.url).toBe('http://groundwork.test/v1/contacts/..%2Fbases%3Fx%3D%23y')
    for (const id of ['', '.', '..']) expect(() => client.contacts.delete(id)).toThrow(TypeError)
    expect(requests).toHaveLength(1)
  })

  test('requires a valid baseUrl, and trims the token', async () => {
    const { client, requests } = clientAnswered([json(contact)], { token: 'gw_token\n' })
    await client.contacts.get('ctc_1')
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer gw_token')
    expect(() => clientAnswered([], { baseUrl: 'groundwork.test/' })).toThrow(TypeError)
  })

  test('without a token uses the session of the page and the given organization', async () => {
    const { client, requests } = clientAnswered([json(contact), json({ data: [], nextCursor: null })], {
      token: undefined,
      organization: 'org_1',
    })
    await client.contacts.get('ctc_1')
    await client.tokens.list().page()
    for (const { headers, credentials } of requests) {
      expect([headers.get('authorization'), headers.get('groundwork-organization'), credentials]).toEqual([null, 'org_1', 'same-origin'])
    }
    expect(requests).toHaveLength(2)
  })

  test('with an empty response returns undefined', async () => {
    const { client } = clientAnswered([new Response(null, { status: 204 })])
    expect(await client.bases.delete('kb_1')).toBeUndefined()
  })
})

describe('a record', () => {
  test('has a version, also behind a proxy with weak ETags; a copy has none', async () => {
    const { client } = clientAnswered([json(contact, 200, { etag: '"v1"' }), json(contact, 200, { etag: 'W/"v2"' }), json(contact)])
    const read = await client.contacts.get('ctc_1')
    expect(etagOf(read)).toBe('"v1"')
    expect(etagOf(await client.contacts.update('ctc_1', {}))).toBe('"v2"')
    expect(() => etagOf({ ...read })).toThrow(TypeError)
    const untagged = await client.contacts.get('ctc_1')
    expect(() => etagOf(untagged)).toThrow(TypeError)
  })
})

describe('an error', () => {
  test.each([
    [401, 'unauthorized', AuthenticationError],
    [403, 'forbidden', PermissionDeniedError],
    [404, 'not_found', NotFoundError],
    [409, 'conflict', ConflictError],
    [422, 'validation_error', ValidationError],
    [422, 'idempotency_conflict', IdempotencyConflictError],
    [429, 'rate_limited', RateLimitError],
    [500, 'internal', ServerError],
    [503, 'unavailable', UnavailableError],
  ])('%i %s has its own class', async (status, code, type) => {
    const { client } = clientAnswered([refused(status, code)], { maxRetries: 0 })
    const error = await outcome(client.contacts.get('ctc_1'))
    expect(error).toBeInstanceOf(type)
    expect(error).toMatchObject({ name: type.name, status, code, requestId: 'req_1', message: `because of ${code}` })
  })

  test('has the field and every issue', async () => {
    const issues = [{ field: 'email', code: 'invalid_format', message: 'Invalid email address' }]
    const { client } = clientAnswered([refused(422, 'validation_error', {}, { field: 'email', issues })])
    expect(await outcome(client.contacts.create({ email: 'x' }))).toMatchObject({ field: 'email', issues })
  })

  test('of a proxy is classified by its status', async () => {
    const { client } = clientAnswered([new Response('<h1>Not here</h1>', { status: 404, headers: { 'x-request-id': 'req_2' } })])
    const error = await outcome(client.contacts.get('ctc_1'))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ code: 'not_found', requestId: 'req_2' })
  })

  test('keeps a code of a later version', async () => {
    const { client } = clientAnswered([refused(418, 'teapot')])
    expect(await outcome(client.contacts.get('ctc_1'))).toMatchObject({ name: 'GroundworkError', code: 'teapot', status: 418 })
  })

  test('is thrown for an HTML response', async () => {
    const { client } = clientAnswered([new Response('<h1>Welcome</h1>')])
    const error = await outcome(client.contacts.get('ctc_1'))
    expect(error).toBeInstanceOf(GroundworkError)
    expect(error).toMatchObject({ code: 'invalid_answer' })
  })
})

describe('a retry', () => {
  test.each([
    ['a failed connection', () => new TypeError('fetch failed')],
    ['429', () => refused(429, 'rate_limited')],
    ['500', () => refused(500, 'internal')],
    ['a bad gateway', () => new Response('', { status: 502 })],
    ['a request that is still running', () => refused(409, 'conflict', { 'retry-after': '1' })],
  ])('follows %s, with the same Idempotency-Key', async (_name, failure) => {
    const { client, requests } = clientAnswered([failure(), failure(), json(contact, 201)])
    expect(await outcome(client.contacts.create({ email: 'desk@example.com' }))).toEqual(contact)
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toEqual([keys[0], keys[0], keys[0]])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(await requests[2]?.json()).toEqual({ email: 'desk@example.com' })
  })

  test('has an Idempotency-Key per call or the given one, only for a POST that changes something', async () => {
    const { client, requests } = clientAnswered(Array.from({ length: 5 }, () => json(contact)))
    await client.contacts.create({})
    await client.contacts.create({})
    await client.contacts.create({}, { idempotencyKey: 'mine' })
    await client.contacts.update('ctc_1', {})
    await client.bases.search('kb_1', { query: 'deposit' })
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(4)
    expect(keys.slice(2)).toEqual(['mine', null, null])
  })

  test('ends with the last failure after maxRetries', async () => {
    const { client, requests } = clientAnswered([new TypeError('fetch failed'), new TypeError('fetch failed'), refused(500, 'internal')])
    expect(await outcome(client.contacts.get('ctc_1'))).toMatchObject({ code: 'internal' })
    expect(requests).toHaveLength(3)
    const once = clientAnswered([refused(500, 'internal')])
    await outcome(once.client.contacts.get('ctc_1', { maxRetries: 0 }))
    expect(once.requests).toHaveLength(1)
  })

  test.each([400, 401, 403, 404, 409, 422])('does not follow %i', async (status) => {
    const { client, requests } = clientAnswered([refused(status, 'whatever')])
    expect(await outcome(client.contacts.get('ctc_1'))).toMatchObject({ status })
    expect(requests).toHaveLength(1)
  })

  test('waits for Retry-After, in seconds or as a date', async () => {
    vi.setSystemTime('2026-01-01T00:00:00Z')
    const { client, requests } = clientAnswered([
      refused(429, 'rate_limited', { 'retry-after': '7' }),
      refused(503, 'unavailable', { 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }),
      json(contact),
    ])
    const call = client.contacts.get('ctc_1')
    await vi.advanceTimersByTimeAsync(6_999)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(requests).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(12_999)
    expect(requests).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(await call).toEqual(contact)
  })

  test('does not follow a Retry-After above one minute', async () => {
    const { client, requests } = clientAnswered([refused(429, 'rate_limited', { 'retry-after': '61' })])
    const error = await outcome(client.contacts.get('ctc_1'))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterMs: 61_000 })
    expect(requests).toHaveLength(1)
  })

  test('has a growing delay of at most 8 seconds', async () => {
    const times: number[] = []
    const failure = (): Response => {
      times.push(Date.now())
      return refused(500, 'internal')
    }
    const { client } = clientAnswered(Array.from({ length: 8 }, () => failure))
    await outcome(client.contacts.get('ctc_1', { maxRetries: 7 }))
    expect(times).toHaveLength(8)
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    for (const [retry, pauseMs] of pauses.entries()) {
      expect(pauseMs).toBeLessThanOrEqual(Math.min(8_000, 500 * 2 ** retry))
      expect(pauseMs).toBeGreaterThanOrEqual(Math.min(8_000, 500 * 2 ** retry) * 0.75 - 1)
    }
  })
})

describe('timeout and abort', () => {
  test('an attempt and each of its retries end after timeoutMs', async () => {
    const { client, requests } = clientAnswered([never, never, never], { timeoutMs: 1_000 })
    const error = await outcome(client.contacts.get('ctc_1'))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(requests).toHaveLength(3)
  })

  test('the timeout covers an endless response, and the error has its request id', async () => {
    const endless = (request: Request): Response =>
      new Response(
        new ReadableStream({ start: (body) => request.signal.addEventListener('abort', () => body.error(request.signal.reason)) }),
        { headers: { 'x-request-id': 'req_3' } },
      )
    const { client } = clientAnswered([endless], { maxRetries: 0, timeoutMs: 50 })
    expect(await outcome(client.contacts.get('ctc_1'))).toMatchObject({ name: 'TimeoutError', requestId: 'req_3' })
  })

  test("an aborted call rejects with the caller's reason and is not retried", async () => {
    const { client, requests } = clientAnswered([never])
    const abort = new AbortController()
    const call = outcome(client.contacts.get('ctc_1', { signal: abort.signal, timeoutMs: 2 ** 30 }))
    abort.abort(new Error('no longer needed'))
    expect(await call).toEqual(new Error('no longer needed'))
    expect(requests).toHaveLength(1)
  })

  test('a pause between attempts can be aborted, and an aborted signal sends nothing', async () => {
    const { client, requests } = clientAnswered([refused(429, 'rate_limited', { 'retry-after': '60' })])
    const abort = new AbortController()
    const call = client.contacts.get('ctc_1', { signal: abort.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(timers.size).toBe(1)
    abort.abort(new Error('enough'))
    expect(await call).toEqual(new Error('enough'))
    expect(await outcome(client.contacts.get('ctc_1', { signal: abort.signal }))).toEqual(new Error('enough'))
    expect(requests).toHaveLength(1)
    expect(timers.size).toBe(0)
  })
})

describe('a file', () => {
  const file = (client: ReturnType<typeof clientAnswered>['client'], options = {}) =>
    client.bases.sources.original('kb_1', 'src_1', options)

  test('is returned as a Response, with the requested headers', async () => {
    const { client, requests } = clientAnswered([
      new Response('234', { status: 206, headers: { 'content-range': 'bytes 2-4/10' } }),
      new Response(null, { status: 304 }),
    ])
    const part = await file(client, { headers: { range: 'bytes=2-4' } })
    expect([part.status, await part.text()]).toEqual([206, '234'])
    expect(requests[0]?.url).toBe('http://groundwork.test/v1/bases/kb_1/sources/src_1/original')
    expect(requests[0]?.headers.get('range')).toBe('bytes=2-4')
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer gw_token')
    expect((await file(client, { headers: { 'if-none-match': '"a"' } })).status).toBe(304)
  })

  test('is retried after a temporary failure, and its errors have their class', async () => {
    const { client, requests } = clientAnswered([refused(503, 'unavailable'), new Response('0')])
    expect(await outcome(file(client))).toBeInstanceOf(Response)
    expect(requests).toHaveLength(2)
    const { client: refusedClient } = clientAnswered([refused(404, 'not_found')])
    expect(await outcome(file(refusedClient))).toBeInstanceOf(NotFoundError)
  })

  test('must begin within timeoutMs, and can be aborted', async () => {
    const { client } = clientAnswered([never, never])
    expect(await outcome(file(client, { timeoutMs: 10, maxRetries: 0 }))).toBeInstanceOf(TimeoutError)
    const caller = new AbortController()
    const call = file(client, { signal: caller.signal }).catch((error: unknown) => error)
    caller.abort('enough')
    expect(await call).toBe('enough')
  })

  test('can take longer than timeoutMs to read', async () => {
    const { client, requests } = clientAnswered([new Response('0')])
    const response = await file(client, { timeoutMs: 10 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests[0]?.signal.aborted).toBe(false)
    expect(await response.text()).toBe('0')
  })
})
