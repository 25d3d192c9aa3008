import { afterAll, describe, expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { openRemoteChat } from '../knowledge/answers/remote-chat.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { openChatServer, streamed } from '../testing/chat-server.ts'
import { unitEmbedder } from '../testing/fixtures.ts'
import { addPassages } from '../testing/passages.ts'
import { newBase } from '../testing/sources.ts'

const server = await openChatServer()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
afterAll(async () => {
  await outbound.close()
  await server.close()
})
const chatModel = openRemoteChat({ url: server.url, model: 'test-model', fetch: outbound.trustedFetch(server.url) })
const { app, platform, organization } = await testApp({ embedder: unitEmbedder, chatModel })
const owner = await organization()
const base = await newBase(owner)
const other = await newBase(owner)
const hours = 'The boathouse opens at 9:00 on Sunday and closes at 18:00.'
await addPassages(owner, base, [hours])
await addPassages(owner, other, ['The key of the boathouse is below the third stone on Sunday.'])

const site = 'https://www.example.com'
const publishable = { origins: [site, 'http://localhost:8080'], requestsPerMinute: 500 }

const create = (body: object = {}) =>
  owner.call('POST', '/v1/tokens', { name: 'Website', scopes: ['search:read'], baseIds: [base], publishable, ...body })

async function newToken(body: object = {}): Promise<{ id: string; token: string }> {
  const created = await create(body)
  expect(created.status).toBe(201)
  return created.body as { id: string; token: string }
}

interface Asking {
  readonly token?: string
  readonly origin?: string | undefined
  readonly query?: unknown
  readonly remoteAddress?: string
}

let visitors = 0

/** Asks as a page does. Every visitor has another address. */
async function ask(what: 'search' | 'answer', { token = '', query = 'When does the boathouse open on Sunday?', ...asking }: Asking) {
  const origin = 'origin' in asking ? asking.origin : site
  visitors += 1
  const response = await app.inject({
    method: 'POST',
    url: `/widget/${what}`,
    remoteAddress: asking.remoteAddress ?? `203.0.${visitors >> 8}.${visitors & 255}`,
    headers: { authorization: `Bearer ${token}`, ...(origin !== undefined && { origin }) },
    payload: { query },
  })
  return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() }
}

describe('a publishable token', () => {
  it('finds passages for the pages of its origins, without ids', async () => {
    const { token } = await newToken()
    expect(token).toMatch(/^gwp_/)
    const found = await ask('search', { token })
    expect(found).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': site, vary: 'Origin' } })
    expect(found.body).toMatchObject({
      answers: true,
      passages: [{ text: hours, url: 'https://example.com/', page: null, highlights: [{ start: 0 }] }],
    })
    expect(JSON.stringify(found.body)).not.toMatch(/(?:kb|src|chk|org)_[0-9a-f]{8}-/)
  })

  it('answers with the passages that support the answer', async () => {
    const { token } = await newToken()
    server.answer = streamed('The boathouse opens at 9:00 on Sunday [1].')
    expect((await ask('answer', { token })).body).toMatchObject({
      answer: 'The boathouse opens at 9:00 on Sunday.',
      passages: [{ text: hours }],
    })
    server.answer = streamed('Boats are free on Sunday [1].')
    expect((await ask('answer', { token })).body).toEqual({ answer: null, passages: [] })
  })

  it.each([['https://evil.example'], ['https://www.example.com.evil.example'], ['http://www.example.com'], ['null'], [undefined]])(
    'is refused on the origin %s, which cannot read the refusal',
    async (origin) => {
      const { token } = await newToken()
      const refused = await ask('search', { token, origin })
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
      expect(refused.headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  it('is refused by the API, by streams and by every integration', async () => {
    const { token } = await newToken()
    const asked = [
      ['GET', '/v1/bases'],
      ['POST', `/v1/bases/${base}/search`],
      ['POST', `/v1/bases/${base}/answer`],
      ['POST', '/v1/tokens'],
      ['GET', '/v1/events/stream'],
      ['POST', '/mcp'],
      ['GET', '/openai/v1/vector_stores'],
      ['POST', '/dify/retrieval'],
    ] as const
    for (const [method, path] of asked) {
      const answer = await owner.call(method, path, method === 'POST' ? { query: 'x' } : undefined, { authorization: `Bearer ${token}` })
      expect([path, answer.status]).toEqual([path, 403])
    }
  })

  it('works only while it is not revoked, and other tokens do not work here', async () => {
    const { id, token } = await newToken()
    const rotated = (await owner.call('POST', `/v1/tokens/${id}/rotate`, {})).body as { token: string }
    expect(rotated).toMatchObject({ token: expect.stringMatching(/^gwp_/), publishable })
    expect((await ask('search', { token })).status).toBe(401)
    expect((await ask('search', { token: rotated.token })).status).toBe(200)
    await owner.call('DELETE', `/v1/tokens/${id}`)
    expect((await ask('search', { token: rotated.token })).status).toBe(401)
    expect((await ask('search', { token: owner.token })).status).toBe(401)
    expect((await ask('search', { token: '' })).status).toBe(401)
  })

  it('has a limit of requests, for all visitors together and for each address', async () => {
    const { token } = await newToken({ publishable: { origins: [site], requestsPerMinute: 3 } })
    const statuses: number[] = []
    // The minute may end in between.
    for (let asked = 0; asked < 8; asked += 1) statuses.push((await ask('search', { token })).status)
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(6)
    expect(statuses).toContain(429)
    const generous = await newToken()
    const one: number[] = []
    for (let asked = 0; asked < 62; asked += 1)
      one.push((await ask('search', { token: generous.token, remoteAddress: '198.51.100.7' })).status)
    expect(one).toContain(429)
    expect((await ask('search', { token: generous.token })).status).toBe(200)
  })

  it('has its requests in the request log, also those that were refused', async () => {
    const { id, token } = await newToken({ publishable: { origins: [site], requestsPerMinute: 1 } })
    await ask('search', { token })
    await ask('search', { token, origin: 'https://evil.example' })
    const { headers, status } = await ask('search', { token, query: '' })
    await platform.requestLog.flush()
    const { body } = await owner.call('GET', `/v1/requests?tokenId=${id}`)
    // Requests of the same millisecond have no order.
    expect(body.data).toHaveLength(3)
    expect(body.data).toContainEqual(expect.objectContaining({ status: 403 }))
    expect(body.data.find((request: { id: string }) => request.id === headers['x-request-id'])).toMatchObject({
      method: 'POST',
      path: '/widget/search',
      status,
      actor: { type: 'token', id },
    })
  })

  it.each([[''], ['x'.repeat(501)], [7], [undefined]])('refuses the question %j', async (query) => {
    const { token } = await newToken()
    expect(await ask('search', { token, query: query ?? null })).toMatchObject({ status: 422, body: { error: { field: 'query' } } })
  })

  it.each<[string, object, string]>([
    ['another scope', { scopes: ['search:read', 'contacts:read'] }, 'scopes'],
    ['all knowledge bases', { baseIds: null }, 'baseIds'],
    ['two knowledge bases', { baseIds: [base, other] }, 'baseIds'],
    ['an agent', { agent: true }, 'agent'],
    ['a path', { publishable: { origins: [`${site}/shop`] } }, 'publishable.origins.0'],
    ['every origin', { publishable: { origins: ['*'] } }, 'publishable.origins.0'],
    ['no origin', { publishable: { origins: [] } }, 'publishable.origins'],
    ['a rate of 0', { publishable: { origins: [site], requestsPerMinute: 0 } }, 'publishable.requestsPerMinute'],
  ])('is not created with %s', async (_what, body, field) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { error: { field } } })
  })

  it('is not found in another organization', async () => {
    const stranger: Caller = await organization()
    const body = { name: 'x', scopes: ['search:read'], baseIds: [base], publishable }
    expect(await stranger.call('POST', '/v1/tokens', body)).toMatchObject({ status: 422, body: { error: { field: 'baseIds' } } })
  })
})

describe('/widget.js', () => {
  it('is a script below 30 kB for pages of any origin', async () => {
    const script = await app.inject('/widget.js')
    expect(script.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', 'access-control-allow-origin': '*' })
    expect(script.rawPayload.length).toBeLessThan(30_000)
    const again = await app.inject({ url: '/widget.js', headers: { 'if-none-match': String(script.headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('may ask from any origin: the token decides', async () => {
    const preflight = await app.inject({ method: 'OPTIONS', url: '/widget/search', headers: { origin: site } })
    expect(preflight).toMatchObject({ statusCode: 204, headers: { 'access-control-allow-origin': site } })
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
  })
})
