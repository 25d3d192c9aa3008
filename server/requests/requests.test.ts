import type { ApiRequest } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { deleteOrganization } from '../administration/delete-organization.ts'
import { createRequestLog } from './log.ts'
import { deleteExpiredRequestsWork } from './retention.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { person } from '../testing/people.ts'

let time: Date | null = null
const service = await testApp({ now: () => time ?? new Date() })
const { app, database, platform, mailFolder, organization } = service

const requests = async ({ call }: Caller, query = ''): Promise<ApiRequest[]> => {
  await platform.requestLog.flush()
  const { status, body } = await call('GET', `/v1/requests?limit=100${query}`)
  expect([query, status]).toEqual([query, 200])
  return body.data
}
const lines = async (caller: Caller, query = ''): Promise<string[]> =>
  (await requests(caller, query)).map(({ method, path, status }) => `${method} ${path} ${status}`)
const idOf = async ({ call }: Caller, path: string, body: object): Promise<string> => (await call('POST', path, body)).body.id
const rowsOf = async ({ organizationId }: Caller): Promise<number> =>
  (await database.pool.query('select from api_request where organization_id = $1', [organizationId])).rowCount ?? 0

describe('the log of API requests', () => {
  it('has method, route, path, status, duration and author of each request, and can be read by its id', async () => {
    const caller = await organization()
    const contact = await idOf(caller, '/v1/contacts', { email: 'a@example.com' })
    const answer = await caller.call('GET', `/v1/contacts/${contact}?fields=ada@example.com`)
    const refused = await caller.call('POST', '/v1/contacts', { email: 'no address' })
    expect([answer.status, refused.status]).toEqual([200, 422])
    const logged = await requests(caller)
    expect(logged.map(({ status }) => status).toSorted()).toEqual([200, 201, 422])
    expect(logged.find(({ method }) => method === 'GET')).toEqual({
      id: answer.headers['x-request-id'],
      method: 'GET',
      route: '/v1/contacts/{id}',
      path: `/v1/contacts/${contact}`,
      status: 200,
      durationMs: expect.any(Number),
      actor: { type: 'token', id: expect.stringMatching(/^tok_/), name: 'test', hint: caller.token.slice(-4) },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const one = await caller.call('GET', `/v1/requests/${refused.body.error.requestId}`)
    expect([one.status, one.body]).toEqual([200, logged.find(({ status }) => status === 422)])
  })

  it('has requests of users, of integrations and those without the scope', async () => {
    const caller = await organization()
    const user = await person(service, { [caller.organizationId]: 'owner' })
    expect((await user.of(caller.organizationId)('GET', '/v1/bases')).status).toBe(200)
    const limited = (await caller.call('POST', '/v1/tokens', { name: 'Search', scopes: ['search:read'] })).body
    const authorization = { authorization: `Bearer ${limited.token}` }
    expect((await caller.call('GET', '/v1/contacts', undefined, authorization)).status).toBe(403)
    await caller.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, authorization)
    expect(await lines(caller, '&actorType=user')).toEqual(['GET /v1/bases 200'])
    const actor = { type: 'token', id: limited.id, name: 'Search', hint: limited.hint }
    const ofToken = await requests(caller, `&tokenId=${limited.id}`)
    expect(ofToken.map(({ route, status, actor: each }) => [route, status, each]).toSorted()).toEqual([
      ['/mcp', 200, actor],
      ['/v1/contacts', 403, actor],
    ])
  })

  it('keeps no values of paths except ids', async () => {
    const caller = await organization()
    for (const path of ['/v1/contacts/ada@example.com', '/v1/contacts/0171-2345678', '/v1/webhooks/ada@example.com/deliveries'])
      await caller.call('GET', path)
    // Without a route, the request is refused before the token is read.
    await caller.call('POST', '/v1/tools/ada@example.com', {})
    const paths = (await requests(caller)).map(({ path }) => path)
    expect(paths.toSorted()).toEqual(['/v1/contacts/{id}', '/v1/contacts/{id}', '/v1/webhooks/{webhookId}/deliveries'])
  })

  it('leaves out probes, requests without a token, and those to itself', async () => {
    const caller = await organization()
    await requests(caller)
    await caller.call('GET', '/v1/requests/req_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8')
    for (const path of ['/healthz', '/readyz', '/v1/openapi.json', '/docs', '/nothing']) await caller.call('GET', path)
    await app.inject({ url: '/v1/contacts' })
    await app.inject({ url: '/v1/contacts', headers: { authorization: `Bearer ${caller.token}x` } })
    expect(await requests(caller)).toEqual([])
  })

  it('filters by method, status, path, id and time', async () => {
    const caller = await organization()
    const base = await idOf(caller, '/v1/bases', { name: 'B' })
    await caller.call('PATCH', `/v1/bases/${base}`, { name: 'C' })
    await caller.call('GET', `/v1/bases/${base}`)
    await caller.call('GET', '/v1/bases/kb_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8')
    await caller.call('GET', '/v1/companies')
    const all = await requests(caller)
    const found = async (query: string): Promise<string[]> =>
      (await requests(caller, query)).map(({ method, route, status }) => `${method} ${route} ${status}`).toSorted()
    const created = 'POST /v1/bases 201'
    const patched = 'PATCH /v1/bases/{baseId} 200'
    const read = 'GET /v1/bases/{baseId} 200'
    const missing = 'GET /v1/bases/{baseId} 404'
    const companies = 'GET /v1/companies 200'
    expect(await found('')).toEqual([read, missing, companies, patched, created])
    expect(await found('&method=PATCH')).toEqual([patched])
    expect(await found('&status=404')).toEqual([missing])
    expect(await found('&status=4xx')).toEqual([missing])
    expect(await found('&status=2xx&method=GET')).toEqual([read, companies])
    expect(await found('&path=/v1/bases')).toEqual([read, missing, patched, created])
    expect(await found(`&path=/v1/bases/${base}`)).toEqual([read, patched])
    expect(await found(`&path=${encodeURIComponent('/v1/bases/{baseId}')}`)).toEqual([read, missing, patched])
    const [, , third] = all
    for (const id of [third?.id, third?.id.slice(4)]) expect(await requests(caller, `&requestId=${id}`)).toEqual([third])
    const at = String(third?.createdAt)
    expect([...(await requests(caller, `&since=${at}`)), ...(await requests(caller, `&until=${at}`))]).toEqual(all)
    for (const [name, value] of [
      ['method', 'BREW'],
      ['status', '4x'],
      ['status', '600'],
      ['tokenId', 'usr_1'],
      ['actorType', 'system'],
      ['path', 'contacts'],
      ['requestId', 'req_1'],
      ['since', 'yesterday'],
    ]) {
      const answer = await caller.call('GET', `/v1/requests?${name}=${value}`)
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request', field: name } } })
    }
  })

  it('pages through all requests, newest first', async () => {
    const caller = await organization()
    for (let n = 0; n < 7; n += 1) await caller.call('GET', '/v1/bases')
    const all = await requests(caller)
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    const paged = []
    let cursor: string | null = ''
    do {
      const { body } = await caller.call('GET', `/v1/requests?limit=3${cursor && `&cursor=${cursor}`}`)
      paged.push(...body.data)
      cursor = body.nextCursor
    } while (cursor !== null)
    expect(paged).toEqual(all)
  })

  it('never shows requests of another organization', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    await owner.call('GET', '/v1/bases')
    const [request] = await requests(owner)
    expect(await requests(stranger)).toEqual([])
    expect(await requests(stranger, `&tokenId=${request?.actor.id}`)).toEqual([])
    expect((await stranger.call('GET', `/v1/requests/${request?.id}`)).status).toBe(404)
  })

  it('refuses tokens that are limited to knowledge bases or lack the scope', async () => {
    const caller = await organization()
    const base = await idOf(caller, '/v1/bases', { name: 'B' })
    for (const body of [{ scopes: ['audit:read'], baseIds: [base] }, { scopes: ['events:read'] }]) {
      const { token } = (await caller.call('POST', '/v1/tokens', { name: 'x', ...body })).body
      for (const path of ['/v1/requests', '/v1/requests/req_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8']) {
        const answer = await caller.call('GET', path, undefined, { authorization: `Bearer ${token}` })
        expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
      }
    }
  })

  it('sends no statement during a request', async () => {
    const caller = await organization()
    await caller.call('GET', '/v1/bases')
    expect(await rowsOf(caller)).toBe(0)
    await platform.requestLog.flush()
    expect(await rowsOf(caller)).toBe(1)
  })

  it('writes many rows with one statement, once, and tells how many were dropped', async () => {
    const caller = await organization()
    let dropped = 0
    const log = { error: () => undefined, warn: (fields: { dropped?: number }) => void (dropped += fields.dropped ?? 0) }
    let transactions = 0
    const transaction: typeof database.transaction = async (...args) => {
      transactions += 1
      const done = await database.transaction(...args)
      if (transactions === 1) throw new Error('connection lost after the commit')
      return done
    }
    const requestLog = createRequestLog(
      { ...database, transaction },
      { jobs: platform.jobs, log, intervalMs: null, full: 1000, capacity: 400 },
    )
    const { ctx, organizationId } = caller
    for (let n = 0; n < 500; n += 1) {
      const actor = {
        kind: 'token',
        tokenId: organizationId,
        scopes: [],
        baseIds: null,
        address: '',
        requestId: requestId(ctx, n),
      } as const
      requestLog.record({ organizationId, actor, method: 'GET', route: '/v1/bases', params: {}, status: 200, durationMs: 1 })
    }
    await requestLog.flush()
    expect(await rowsOf(caller)).toBe(400)
    await requestLog.close()
    expect([await rowsOf(caller), dropped, transactions]).toEqual([400, 100, 2])
  })

  it('is deleted after 7 days', async () => {
    const caller = await organization()
    const other = await organization()
    for (const each of [caller, other]) await each.call('GET', '/v1/bases')
    await platform.requestLog.flush()
    const { rows } = await database.pool.query(
      `select round(extract(epoch from start_after - created_on) / 86400)::integer as days from pgboss.job
       where data ->> 'organizationId' = $1 and data ->> 'handler' = $2`,
      [caller.organizationId, deleteExpiredRequestsWork.name],
    )
    expect(rows).toEqual([{ days: 8 }])
    await database.pool.query(
      `insert into api_request (organization_id, created_at, id, method, route, path, status, duration_ms, actor_type, actor_id)
       select $1, now() - interval '7 days 1 minute', gen_random_uuid(), 'GET', '/v1/bases', '/v1/bases', 200, 1, 'token', $1 from generate_series(1, 1001)`,
      [caller.organizationId],
    )
    expect(await lines(caller)).toEqual(['GET /v1/bases 200'])
    await deleteExpiredRequestsWork.run(caller.ctx, {})
    expect([await rowsOf(caller), await rowsOf(other)]).toEqual([1, 1])
    time = new Date(Date.now() + 7 * 86_400_000)
    await deleteExpiredRequestsWork.run(caller.ctx, {})
    expect([await rowsOf(caller), await rowsOf(other)]).toEqual([0, 1])
    time = null
  })

  it('adds no row behind the deletion of the organization', async () => {
    const caller = await organization()
    await caller.call('GET', '/v1/bases')
    await deleteOrganization(database.pool, caller.organizationId, { storage: platform.storage, mailFolder, now: platform.now })
    await platform.requestLog.flush()
    expect(await rowsOf(caller)).toBe(0)
  })
})

const requestId = ({ now }: Pick<Caller['ctx'], 'now'>, n: number): string =>
  `req_${now()
    .getTime()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7000-8000-${String(n).padStart(12, '0')}`
