import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../../testing/app.ts'
import { createFixtures, unitEmbedder } from '../../testing/fixtures.ts'

const { app, organization, database, platform } = await testApp({ embedder: unitEmbedder })
const caller = await organization()

const post = (body: unknown, headers: Record<string, string> = {}, { call }: Pick<Caller, 'call'> = caller) =>
  call('POST', '/mcp', body, headers)
const request = (method: string, params: object = {}, id: string | number = 1) => ({ jsonrpc: '2.0', id, method, params })
const failed = (code: number) => ({ jsonrpc: '2.0', error: { code, message: expect.any(String) } })

const initialize = (protocolVersion: string) =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } })

describe('protocol revisions with initialize', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26'])('%s is supported', async (revision) => {
    const { status, body, headers } = await post(initialize(revision))
    expect([status, headers['content-type'], body.result.protocolVersion]).toEqual([200, 'application/json; charset=utf-8', revision])
    expect(headers).not.toHaveProperty('mcp-session-id')
    const after = { 'mcp-protocol-version': revision }
    expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, after)).toMatchObject({ status: 202, body: undefined })
    expect(await post(request('ping'), after)).toMatchObject({ status: 200, body: { id: 1, result: {} } })
    expect((await post(request('tools/list'), after)).body.result.tools).toHaveLength(13)
  })

  it.each(['2024-10-07', '2099-01-01', 'x'])('%s is answered with the newest revision', async (revision) => {
    expect((await post(initialize(revision))).body.result.protocolVersion).toBe('2025-11-25')
  })

  it('need no header in the first request', async () => {
    expect((await post(request('tools/list'))).status).toBe(200)
  })

  it.each(['1900-01-01', 'not-a-revision', ''])('the header with %j is refused', async (revision) => {
    expect(await post(request('ping'), { 'mcp-protocol-version': revision })).toMatchObject({
      status: 400,
      body: { ...failed(-32_022), id: 1, error: { data: { supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] } } },
    })
  })

  it('refuse other methods', async () => {
    for (const method of ['resources/list', 'server/discover', '__proto__', 'toString', '']) {
      expect(await post(request(method))).toMatchObject({ status: 200, body: { id: 1, ...failed(-32_601) } })
    }
    expect(await post(request('tools/list', { cursor: 'x' }))).toMatchObject({ status: 200, body: failed(-32_602) })
    expect(await post(request('tools/call', { name: 7 }))).toMatchObject({ status: 200, body: failed(-32_602) })
    expect(await post(request('tools/call'))).toMatchObject({ status: 200, body: failed(-32_602) })
    expect(await post(request('tools/call', { name: 'list_bases', arguments: [] }))).toMatchObject({
      status: 200,
      body: { result: { isError: true } },
    })
  })
})

describe('batches', () => {
  const batch = [request('ping', {}, 'a'), { jsonrpc: '2.0', method: 'notifications/initialized' }, request('nothing', {}, 'b'), 7]

  it('are answered in the revision that supports them', async () => {
    for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }]) {
      expect(await post(batch, headers)).toMatchObject({
        status: 200,
        body: [
          { id: 'a', result: {} },
          { id: 'b', ...failed(-32_601) },
          { id: null, ...failed(-32_600) },
        ],
      })
    }
    expect(await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).toMatchObject({ status: 202, body: undefined })
    expect((await post([initialize('2025-03-26')])).body).toMatchObject([{ id: 1, ...failed(-32_600) }])
  })

  it('are refused in other revisions, when empty and when too large', async () => {
    for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28']) {
      expect(await post(batch, { 'mcp-protocol-version': revision })).toMatchObject({ status: 400, body: failed(-32_600) })
    }
    expect(await post([])).toMatchObject({ status: 400, body: failed(-32_600) })
    expect(await post(Array.from({ length: 21 }, () => request('ping')))).toMatchObject({ status: 400, body: failed(-32_600) })
  })

  it('count each message against the rate limits', async () => {
    const own = await organization()
    const left = async (body: unknown): Promise<number> =>
      Number(/"token";r=(\d+)/.exec(String((await post(body, {}, own)).headers['ratelimit']))?.[1])
    const [first, second, third] = [
      await left(request('ping')),
      await left([request('ping'), request('ping'), request('ping')]),
      await left(request('ping')),
    ]
    expect([first - second, second - third]).toEqual([3, 1])
  })
})

describe('the protocol revision without a handshake', () => {
  const revision = '2026-07-28'
  const meta = { 'io.modelcontextprotocol/protocolVersion': revision, 'io.modelcontextprotocol/clientCapabilities': {} }
  const headersOf = (method: string, name?: string) => ({
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  })
  const ask = (method: string, params: object = {}, headers: Record<string, string> = headersOf(method)) =>
    post(request(method, { ...params, _meta: meta }), headers)

  it('needs no handshake', async () => {
    const own = await organization()
    await createFixtures(own)
    expect(await ask('server/discover')).toMatchObject({
      status: 200,
      body: {
        result: {
          resultType: 'complete',
          supportedVersions: expect.arrayContaining([revision, '2025-11-25']),
          capabilities: { tools: {} },
          ttlMs: expect.any(Number),
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'groundwork' } },
        },
      },
    })
    const { body } = await ask('tools/list')
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'private' })
    expect(body.result.tools).toHaveLength(13)
    for (const name of ['search_knowledge', '=?base64?c2VhcmNoX2tub3dsZWRnZQ==?=']) {
      const called = request('tools/call', { name: 'search_knowledge', arguments: { query: 'opening hours' }, _meta: meta })
      const answer = await post(called, headersOf('tools/call', name), own)
      expect(answer).toMatchObject({
        status: 200,
        body: { result: { resultType: 'complete', structuredContent: { passages: [{ text: 'opening hours' }] } } },
      })
    }
  })

  it.each<[string, string, object, Record<string, string>, number, number]>([
    ['a method that there is not', 'ping', { _meta: meta }, headersOf('ping'), 404, -32_601],
    ['initialize', 'initialize', { _meta: meta }, headersOf('initialize'), 404, -32_601],
    ['no revision in the message', 'tools/list', {}, headersOf('tools/list'), 400, -32_602],
    [
      'no capabilities',
      'tools/list',
      { _meta: { 'io.modelcontextprotocol/protocolVersion': revision } },
      headersOf('tools/list'),
      400,
      -32_602,
    ],
    ['no headers', 'tools/list', { _meta: meta }, {}, 400, -32_020],
    ['another method in the header', 'tools/list', { _meta: meta }, headersOf('tools/call'), 400, -32_020],
    ['no name in the headers', 'tools/call', { name: 'list_bases', _meta: meta }, headersOf('tools/call'), 400, -32_020],
    ['another name in the header', 'tools/call', { name: 'list_bases', _meta: meta }, headersOf('tools/call', 'get_chunk'), 400, -32_020],
    [
      'another revision in the header',
      'tools/list',
      { _meta: meta },
      { ...headersOf('tools/list'), 'mcp-protocol-version': '2025-11-25' },
      400,
      -32_020,
    ],
    [
      'a revision that there is not',
      'tools/list',
      { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
      headersOf('tools/list'),
      400,
      -32_022,
    ],
  ])('refuses %s', async (_name, method, params, headers, status, code) => {
    expect(await post(request(method, params), headers)).toMatchObject({ status, body: { id: 1, ...failed(code) } })
  })
})

describe('a message that is not a request', () => {
  it.each<[string, unknown, number]>([
    ['no JSON', '{"jsonrpc":', -32_700],
    ['nothing', undefined, -32_600],
    ['a number', '7', -32_600],
    ['null', 'null', -32_600],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32_600],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32_600],
    ['null as its id', { jsonrpc: '2.0', id: null, method: 'ping' }, -32_600],
    ['parameters in a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32_600],
  ])('%s: 400', async (_name, body, code) => {
    expect(await post(body)).toMatchObject({ status: 400, body: failed(code) })
  })

  it('is accepted with 202 if it is a response', async () => {
    expect(await post({ jsonrpc: '2.0', id: 9, result: {} })).toMatchObject({ status: 202, body: undefined })
  })

  it.each(['GET', 'DELETE'])('%s: 405', async (method) => {
    expect(await caller.call(method, '/mcp')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  })
})

describe('access', () => {
  it('requires a token', async () => {
    const response = await app.inject({ method: 'POST', url: '/mcp', payload: request('ping') })
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer realm="groundwork"'])
    const data = { code: 'unauthorized', requestId: response.headers['x-request-id'] }
    expect(response.json()).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.any(String), data } })
  })

  it('is refused for browser requests from other origins', async () => {
    for (const origin of ['https://evil.example', 'http://groundwork.test.evil.example', 'null']) {
      expect(await post(request('ping'), { origin })).toMatchObject({ status: 403, body: failed(-32_600) })
    }
    expect((await post(request('ping'), { origin: platform.baseUrl })).status).toBe(200)
  })

  it('fails with 503 if the database is unreachable', async () => {
    const reachable = { ...database }
    database.transaction = () => Promise.reject(Object.assign(new Error('connection lost'), { code: '08006' }))
    try {
      const answer = await post(request('tools/call', { name: 'list_bases' }))
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, body: failed(-32_603) })
      expect(JSON.stringify(answer.body)).not.toContain('connection lost')
    } finally {
      Object.assign(database, reachable)
    }
  })
})
