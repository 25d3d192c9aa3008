import { connect, type AddressInfo } from 'node:net'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { moduleHandlers } from '../modules.ts'
import { testApp } from '../testing/app.ts'
import { authenticator } from '../tokens/authenticator.ts'
import { createApp } from './app.ts'

const now = (): Date => new Date()
const { app, platform, database, organization } = await testApp()

const errorShape = (code: string) => ({
  error: { code, message: expect.any(String), requestId: expect.stringMatching(/^req_[0-9a-f-]{36}$/) },
})

describe('tokens', () => {
  it.each([
    ['none', {}],
    ['an empty one', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic Z3c6Z3c=' }],
    ['an unknown one', { authorization: `Bearer gw_${'A'.repeat(38)}` }],
    ['one with a wrong checksum', { authorization: 'Bearer gw_00000000000000000000000000000000000000' }],
    ['one outside ASCII', { authorization: 'Bearer gw_ä' }],
    ['two', { authorization: 'Bearer a b' }],
    ['an empty key', { 'x-api-key': '' }],
  ])('%s: 401', async (_name, headers) => {
    for (const [method, url] of [
      ['GET', '/v1/contacts'],
      ['POST', '/v1/contacts'],
      ['GET', '/v1/contacts/not-an-id'],
      ['DELETE', '/v1/proposals/x'],
    ] as const) {
      const response = await app.inject({ method, url, headers: headers as Record<string, string> })
      expect(response.statusCode).toBe(401)
      expect(response.json()).toEqual(errorShape('unauthorized'))
      expect(response.headers['www-authenticate']).toBe('Bearer realm="groundwork"')
      expect(response.headers['x-request-id']).toBe(response.json().error.requestId)
    }
  })

  it('are accepted as bearer tokens in any case and as API keys', async () => {
    const { token } = await organization()
    for (const headers of [{ authorization: `bearer ${token}` }, { authorization: `BEARER  ${token}` }, { 'x-api-key': token }]) {
      expect((await app.inject({ url: '/v1/contacts', headers })).statusCode).toBe(200)
    }
  })

  it('answer 403 without the scope of the route, before input is validated', async () => {
    const { call } = await organization({ scopes: ['contacts:read', 'proposals:write'] })
    expect((await call('GET', '/v1/contacts')).status).toBe(200)
    for (const [method, path, body, scope] of [
      ['POST', '/v1/contacts', { email: 'a@example.com' }, 'contacts:write'],
      ['POST', '/v1/contacts', '{ not json', 'contacts:write'],
      ['PATCH', '/v1/contacts/x', {}, 'contacts:write'],
      ['DELETE', '/v1/contacts/x', undefined, 'contacts:write'],
      ['POST', '/v1/contacts/x/restore', undefined, 'contacts:write'],
      ['GET', '/v1/proposals', undefined, 'proposals:read'],
      ['GET', '/v1/proposals/x', undefined, 'proposals:read'],
    ] as const) {
      const answer = await call(method, path, body)
      expect([answer.status, answer.body]).toEqual([403, errorShape('forbidden')])
      expect(answer.body.error.message).toContain(scope)
    }
  })
})

describe('invalid requests', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/nothing'],
    ['GET', '/v2/contacts'],
    ['GET', '/v1/contacts/a/b/c'],
    ['GET', `/v1/contacts/${'x'.repeat(6000)}`],
    ['GET', '/docs/assets/../package.json'],
    ['GET', '/docs/assets/..%2f..%2fpackage.json'],
    ['GET', '/docs/assets/%2e%2e/%2e%2e/package.json'],
  ])('%s %.60s: 404', async (method, path) => {
    const { call } = await organization()
    const answer = await call(method, path)
    expect([answer.status, answer.body]).toEqual([404, errorShape('not_found')])
    expect(answer.headers['x-request-id']).toBe(answer.body.error.requestId)
  })

  it.each(['/v1/contacts/%zz', '/v1/contacts/%', '/v1/%c3%28'])('%s: 400', async (path) => {
    const { call } = await organization()
    const answer = await call('GET', path)
    expect([answer.status, answer.body]).toEqual([400, errorShape('bad_request')])
    expect(answer.headers['x-request-id']).toBe(answer.body.error.requestId)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  it.each([
    ['', 400],
    [' ', 400],
    ['{', 400],
    ['{"email":"a@example.com",}', 400],
    ["{'email':'a@example.com'}", 400],
    ['NaN', 400],
    ['{"__proto__":{"email":"a@example.com"}}', 400],
    ['{"email":"a@example.com","__proto__":null}', 400],
    ['{"\\u005f_proto__":1}', 400],
    ['{"constructor":{"prototype":{"email":1}}}', 400],
    ['{"constructor":"x"}', 422],
    ['{"prototype":1,"toString":1,"hasOwnProperty":1}', 422],
    ['null', 422],
    ['[]', 422],
    ['"text"', 422],
    ['7', 422],
    ['true', 422],
    ['['.repeat(400_000), 400],
    ['['.repeat(400_000) + ']'.repeat(400_000), 400],
    [`{"email":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, 400],
    [`{"tags":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    [`{"tags":${'['.repeat(100)}${']'.repeat(100)}}`, 400],
    [`{"tags":${'['.repeat(99)}${']'.repeat(99)}}`, 422],
    [`{"lastName":"a","tags":["${'[{\\\\\\"'.repeat(200)}"]}`, 422],
    [`{"email":1e999}`, 422],
  ])('a body of %.40j: %i', async (body, status) => {
    const { call } = await organization()
    const answer = await call('POST', '/v1/contacts', body)
    expect([answer.status, answer.body.error.code]).toEqual([status, status === 400 ? 'bad_request' : 'validation_error'])
    expect(({} as Record<string, unknown>)['email']).toBeUndefined()
  })

  it('a missing body: 400', async () => {
    const { call } = await organization()
    expect((await call('POST', '/v1/contacts')).body).toEqual(errorShape('bad_request'))
    expect((await call('POST', '/v1/contacts', undefined, { 'content-type': 'application/json' })).status).toBe(400)
  })

  it('a body that is not UTF-8: 400', async () => {
    const { token } = await organization()
    const payload = Buffer.from('{"firstName":"J\xf6rg","lastName":"M"}', 'latin1')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await app.inject({ method: 'POST', url: '/v1/contacts', headers, payload })
    expect([response.statusCode, response.json()]).toEqual([400, errorShape('bad_request')])
    const marked = Buffer.from('\ufeff{"firstName":"Jörg","lastName":"M"}')
    expect((await app.inject({ method: 'POST', url: '/v1/contacts', headers, payload: marked })).json().firstName).toBe('Jörg')
  })

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/xml'],
    ['nonsense'],
    ['application/jsonx'],
    ['application/json; charset=utf-16'],
    ['application/json;charset="UTF-16LE"'],
    ['application/json; charset=iso-8859-1'],
  ])('a body of %s: 415', async (type) => {
    const { call } = await organization()
    for (const [method, path] of [
      ['POST', '/v1/contacts'],
      ['PATCH', '/v1/contacts/ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'],
      ['POST', '/v1/proposals'],
    ] as const) {
      const answer = await call(method, path, '{"email":"a@example.com"}', { 'content-type': type })
      expect([answer.status, answer.body]).toEqual([415, errorShape('unsupported_media_type')])
    }
  })

  it('a form with a file names the way to send files', async () => {
    const { call } = await organization()
    const base = (await call('POST', '/v1/bases', { name: 'B' })).body.id
    const answer = await call('POST', `/v1/bases/${base}/sources`, '--x', { 'content-type': 'multipart/form-data; boundary=x' })
    expect(answer.body.error.message).toContain('POST /v1/uploads')
  })

  it('a compressed body: 415', async () => {
    const { call } = await organization()
    const answer = await call('POST', '/v1/contacts', '{"email":"a@example.com"}', { 'content-encoding': 'gzip' })
    expect([answer.status, answer.body]).toEqual([415, errorShape('unsupported_media_type')])
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8', 'application/json; charset="utf8"'])(
    'a body of %s is taken',
    async (type) => {
      const { call } = await organization()
      expect((await call('POST', '/v1/contacts', { email: 'a@example.com' }, { 'content-type': type })).status).toBe(201)
    },
  )

  it('an uploaded JSON file is not parsed or limited in size', async () => {
    const { call } = await organization()
    const file = JSON.stringify({ rows: 'x'.repeat(2_000_000) })
    const { body: upload } = await call('POST', '/v1/uploads', {
      fileName: 'a.json',
      contentType: 'application/json',
      sizeBytes: file.length,
    })
    const url = upload.uploadUrl.replace(platform.baseUrl, '')
    expect((await app.inject({ method: 'PUT', url, headers: upload.headers })).statusCode).toBe(400)
    expect((await app.inject({ method: 'PUT', url, headers: upload.headers, payload: file })).statusCode).toBe(204)
    expect((await app.inject({ method: 'PUT', url: `/v1/uploads/a.${'%C3%A4'.repeat(43)}`, payload: file })).statusCode).toBe(404)
  })

  it('a body over 1 MB: 413', async () => {
    const { call } = await organization()
    const of = (bytes: number): string => `{"email":"a@example.com"${' '.repeat(bytes - 25)}}`
    expect((await call('POST', '/v1/contacts', of(1_000_000))).status).toBe(201)
    const answer = await call('POST', '/v1/contacts', of(1_000_001))
    expect([answer.status, answer.body]).toEqual([413, errorShape('payload_too_large')])
  })

  it('all issues are reported, up to a maximum', async () => {
    const { call } = await organization()
    const { body } = await call('POST', '/v1/proposals', { title: 5, items: [{ unitPrice: 'x' }], nmae: 1 })
    expect(body.error.issues.map((issue: { field: string }) => issue.field).toSorted()).toEqual([
      'contactId',
      'items.0.description',
      'items.0.unitPrice',
      'nmae',
      'title',
    ])
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, index]))
    expect((await call('POST', '/v1/contacts', many)).body.error.issues.length).toBeLessThanOrEqual(50)
  })
})

describe('malformed HTTP', async () => {
  const server = await createApp({
    platform,
    authenticate: authenticator(database, { now }).authenticate,
    handlers: moduleHandlers,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo

  /** Sends raw bytes and returns everything received until the connection ends. */
  const exchange = (request: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      let answer = ''
      socket.on('data', (chunk) => (answer += chunk.toString()))
      socket.on('close', () => resolve(answer))
      socket.on('error', reject)
    })

  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001', 400],
    ['a method that is none', 'FOO /v1/contacts HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['two lengths', 'POST /v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST /v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: \u0000\r\n\r\n', 400],
    ['a giant header', `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a giant address', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('%s is answered with an error body', async (_name, request, status) => {
    const answer = await exchange(request)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(body)).toEqual(errorShape('bad_request'))
    expect(head.toLowerCase()).toContain(`x-request-id: ${JSON.parse(body).error.requestId}`)
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`)
  })

  it('does not affect later requests or the shutdown', async () => {
    expect(await exchange('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200 OK[\s\S]*\{"status":"ok"\}$/,
    )
    await server.close()
  })
})

describe('an internal error', () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const broken = (error: Error) =>
    createApp({
      platform: { ...platform, log, db: { ...database, transaction: () => Promise.reject(error), select: () => Promise.reject(error) } },
      authenticate: authenticator(database, { now }).authenticate,
      handlers: moduleHandlers,
      readiness: {
        reasons: async () => [{ field: 'database', code: 'not_writable', message: 'The database cannot be written (53100).' }],
        isDraining: () => true,
      },
    })

  it('has a constant message in the response and details in the log', async () => {
    const { token } = await organization()
    const server = await broken(new Error('a secret detail of table contact'))
    const response = await server.inject({ url: '/v1/contacts', headers: { authorization: `Bearer ${token}` } })
    const { requestId } = response.json().error
    expect([response.statusCode, response.json()]).toEqual([
      500,
      {
        error: { code: 'internal', message: 'An internal error occurred. The server log has the details under this requestId.', requestId },
      },
    ])
    const logged = lines.find((line) => line['requestId'] === requestId && line['err'] !== undefined)
    expect(logged).toMatchObject({
      level: 50,
      err: { message: 'a secret detail of table contact', stack: expect.stringContaining('http.test.ts') },
    })
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', requestId, method: 'GET', path: '/v1/contacts', status: 500 }))
    expect(JSON.stringify(lines)).not.toContain(token)
  })

  it.each(['ECONNREFUSED', '57P01', '08006', '53300', '40001'])('that is transient (%s): 503 with Retry-After', async (code) => {
    const { token } = await organization()
    const server = await broken(Object.assign(new Error('a secret detail'), { code }))
    const response = await server.inject({ url: '/v1/contacts', headers: { authorization: `Bearer ${token}` } })
    expect([response.statusCode, response.json()]).toEqual([503, errorShape('unavailable')])
    expect(response.headers['retry-after']).toBe('1')
    expect(response.body).not.toContain('secret')
  })

  it('that prevents serving is reported by /readyz and not by /healthz', async () => {
    const server = await broken(new Error())
    const response = await server.inject('/readyz')
    expect([response.statusCode, response.json(), response.headers['retry-after']]).toEqual([
      503,
      {
        error: {
          code: 'unavailable',
          message: 'The service is not ready. The database cannot be written (53100).',
          issues: [{ field: 'database', code: 'not_writable', message: 'The database cannot be written (53100).' }],
          requestId: response.headers['x-request-id'],
        },
      },
      '1',
    ])
    const alive = await server.inject('/healthz')
    expect([alive.json(), alive.headers.connection]).toEqual([{ status: 'ok' }, 'close'])
    const ready = await app.inject('/readyz')
    expect([ready.json(), ready.headers.connection]).toEqual([{ status: 'ready' }, 'keep-alive'])
  })

  it('of a reply that does not match its schema: 500 without the reply', async () => {
    const { token } = await organization()
    const server = await createApp({
      platform,
      authenticate: authenticator(database, { now }).authenticate,
      handlers: {
        ...moduleHandlers,
        contacts: { ...moduleHandlers.contacts, get: () => Promise.resolve({ firstName: 'secret' } as never) },
      },
    })
    const url = '/v1/contacts/0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'
    const response = await server.inject({ url, headers: { authorization: `Bearer ${token}` } })
    expect([response.statusCode, response.json()]).toEqual([500, errorShape('internal')])
  })
})
