import type { Scope } from '@groundwork/api'
import { pino } from 'pino'
import { describe, expect, inject, it, vi } from 'vitest'
import { createApp } from '../http/app.ts'
import { moduleHandlers } from '../modules.ts'
import { testApp, type Called, type Caller } from '../testing/app.ts'
import { person } from '../testing/people.ts'
import { authenticator } from './authenticator.ts'
import { createToken } from './issue.ts'
import { hashSecret, newSecret } from './secret.ts'

const service = await testApp()
const { app, database, platform, organization } = service
const hour = 3_600_000
const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString()

async function make(caller: Caller, body: object = {}): Promise<Called['body']> {
  const answer = await caller.call('POST', '/v1/tokens', { name: 'x', scopes: ['contacts:read'], ...body })
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}

const by =
  (caller: Caller, secret: string): Caller['call'] =>
  (method, path, body) =>
    caller.call(method, path, body, { authorization: `Bearer ${secret}` })

const refusal = (status: number, code: string, field?: string) => ({ status, body: { error: { code, ...(field && { field }) } } })
const revoke = (token: string) => app.inject({ method: 'POST', url: '/v1/tokens/revoke', payload: { token } })

describe('createToken of the command line', () => {
  it('stores only the hash of the secret', async () => {
    const { organizationId } = await organization()
    const token = { organizationId, name: 'ci', scopes: ['contacts:read'] as Scope[], expiresAt: null, now: new Date() }
    const { id, secret } = await createToken(database, token)
    const { rows } = await database.pool.query('select * from api_token where id = $1', [id])
    expect(rows[0]).toMatchObject({ name: 'ci', hash: hashSecret(secret), scopes: ['contacts:read'], expires_at: null, revoked_at: null })
    expect(JSON.stringify(rows)).not.toContain(secret.slice(3))
  })

  it('fails for an organization that does not exist', async () => {
    const token = { organizationId: '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', name: 'x', scopes: [], expiresAt: null, now: new Date() }
    await expect(createToken(database, token)).rejects.toMatchObject({ code: '23503' })
  })
})

describe('tokens', () => {
  it('are created with a working secret that is shown once', async () => {
    const caller = await organization()
    const { body: own } = await caller.call('GET', '/v1/tokens')
    const expiresAt = inHours(1)
    const { token, ...record } = await make(caller, { name: 'agent', scopes: ['contacts:read', 'contacts:read'], expiresAt })
    expect(record).toEqual({
      id: expect.stringMatching(/^tok_[0-9a-f-]{36}$/),
      name: 'agent',
      hint: token.slice(-4),
      scopes: ['contacts:read'],
      agent: false,
      baseIds: null,
      publishable: null,
      createdAt: expect.stringMatching(/Z$/),
      createdBy: own.data[0].id,
      createdByName: 'test',
      expiresAt,
      lastUsedAt: null,
      lastUsedAddress: null,
      revokedAt: null,
    })
    expect((await by(caller, token)('GET', '/v1/contacts')).status).toBe(200)
    expect(await by(caller, token)('GET', '/v1/bases')).toMatchObject(refusal(403, 'forbidden'))
    expect(await caller.call('GET', `/v1/tokens/${record.id}`)).toMatchObject({ status: 200, body: record })
    const answers = [await caller.call('GET', '/v1/tokens'), await caller.call('GET', `/v1/tokens/${record.id}`)]
    expect(JSON.stringify(answers)).not.toContain(token.slice(3, 30))
    expect(JSON.stringify(answers)).not.toContain(hashSecret(token).toString('hex'))
  })

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ scopes: undefined }, 'scopes'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes.0'],
    [{ scopes: ['*'] }, 'scopes.0'],
    [{ baseIds: [] }, 'baseIds'],
    [{ baseIds: ['src_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'] }, 'baseIds.0'],
    [{ baseIds: ['kb_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'] }, 'baseIds'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: '9999-12-31T23:59:59-23:59' }, 'expiresAt'],
    [{ token: 'gw_mine' }, 'token'],
  ])('cannot be created from %j', async (body, field) => {
    const { call } = await organization()
    expect(await call('POST', '/v1/tokens', { name: 'x', scopes: ['contacts:read'], ...body })).toMatchObject(
      refusal(422, 'validation_error', field),
    )
  })

  it('are listed newest first, page by page', async () => {
    const caller = await organization()
    const made: string[] = []
    for (let n = 0; n < 4; n += 1) made.unshift((await make(caller)).id)
    const first = await caller.call('GET', '/v1/tokens?limit=3')
    const second = await caller.call('GET', `/v1/tokens?limit=3&cursor=${first.body.nextCursor}`)
    expect([...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id).slice(0, 4)).toEqual(made)
    expect([first.body.data.length, second.body.data.length, second.body.nextCursor]).toEqual([3, 2, null])
  })

  it('are renamed', async () => {
    const caller = await organization()
    const { token, ...record } = await make(caller)
    expect(await caller.call('PATCH', `/v1/tokens/${record.id}`, { name: 'new' })).toMatchObject({
      status: 200,
      body: { ...record, name: 'new' },
    })
    expect((await caller.call('PATCH', `/v1/tokens/${record.id}`, {})).body).toEqual({ ...record, name: 'new' })
    expect(await caller.call('PATCH', `/v1/tokens/${record.id}`, { scopes: ['bases:read'] })).toMatchObject(
      refusal(422, 'validation_error', 'scopes'),
    )
    expect((await by(caller, token)('GET', '/v1/contacts')).status).toBe(200)
  })

  it('are refused as soon as they are revoked, and stay listed', async () => {
    const caller = await organization()
    const { id, token } = await make(caller)
    expect((await by(caller, token)('GET', '/v1/contacts')).status).toBe(200)
    expect((await caller.call('DELETE', `/v1/tokens/${id}`)).status).toBe(204)
    expect(await by(caller, token)('GET', '/v1/contacts')).toMatchObject(refusal(401, 'unauthorized'))
    const { body } = await caller.call('GET', `/v1/tokens/${id}`)
    expect(body.revokedAt).toMatch(/Z$/)
    expect((await caller.call('DELETE', `/v1/tokens/${id}`)).status).toBe(204)
    expect((await caller.call('GET', `/v1/tokens/${id}`)).body).toEqual(body)
    expect(await caller.call('POST', `/v1/tokens/${id}/rotate`, {})).toMatchObject(refusal(409, 'conflict'))
  })

  it('accept only the new secret after a rotation', async () => {
    const caller = await organization()
    const before = await make(caller)
    expect((await by(caller, before.token)('GET', '/v1/contacts')).status).toBe(200)
    const { status, body: after } = await caller.call('POST', `/v1/tokens/${before.id}/rotate`, {})
    expect([status, after]).toEqual([200, { ...before, token: after.token, hint: after.token.slice(-4) }])
    expect((await by(caller, after.token)('GET', '/v1/contacts')).status).toBe(200)
    expect((await by(caller, before.token)('GET', '/v1/contacts')).status).toBe(401)
  })

  it('have at most two secrets, and none after revocation', async () => {
    const caller = await organization()
    const first = await make(caller)
    const rotate = async (): Promise<string> =>
      (await caller.call('POST', `/v1/tokens/${first.id}/rotate`, { overlapSeconds: 60 })).body.token
    const statuses = (secrets: string[]): Promise<number[]> =>
      Promise.all(secrets.map(async (secret) => (await by(caller, secret)('GET', '/v1/contacts')).status))
    const second = await rotate()
    expect(await statuses([first.token, second])).toEqual([200, 200])
    const third = await rotate()
    expect(await statuses([first.token, second, third])).toEqual([401, 200, 200])
    await caller.call('DELETE', `/v1/tokens/${first.id}`)
    expect(await statuses([second, third])).toEqual([401, 401])
    for (const overlapSeconds of [-1, 604_801, 0.5, '60']) {
      expect(await caller.call('POST', `/v1/tokens/${first.id}/rotate`, { overlapSeconds })).toMatchObject(
        refusal(422, 'validation_error', 'overlapSeconds'),
      )
    }
  })

  it('are read with one scope and changed with another', async () => {
    const caller = await organization()
    const { id } = await make(caller)
    const reader = by(caller, (await make(caller, { scopes: ['tokens:read'] })).token)
    const writer = by(caller, (await make(caller, { scopes: ['tokens:write', 'contacts:read'] })).token)
    expect((await reader('GET', '/v1/tokens')).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/v1/tokens'],
      ['PATCH', `/v1/tokens/${id}`],
      ['POST', `/v1/tokens/${id}/rotate`],
      ['DELETE', `/v1/tokens/${id}`],
    ] as const) {
      expect(await reader(method, path, {})).toMatchObject(refusal(403, 'forbidden'))
    }
    expect(await writer('GET', '/v1/tokens')).toMatchObject(refusal(403, 'forbidden'))
    expect((await writer('POST', `/v1/tokens/${id}/rotate`, {})).status).toBe(200)
  })
})

describe('the creator of a token', () => {
  it('is named and filterable, even after leaving', async () => {
    const own = await organization()
    const maker = await person(service, { [own.organizationId]: 'admin' })
    const { body: made } = await maker.of(own.organizationId)('POST', '/v1/tokens', { name: 'phone agent', scopes: ['contacts:read'] })
    expect(made).toMatchObject({ createdBy: `usr_${maker.userId}`, createdByName: 'Robin Moss' })
    expect((await own.call('DELETE', `/v1/members/usr_${maker.userId}`)).status).toBe(204)
    await database.pool.query('delete from audit_entry where actor_id = $1', [maker.userId])
    expect((await own.call('GET', `/v1/tokens?createdBy=usr_${maker.userId}`)).body.data).toMatchObject([
      { id: made.id, createdByName: 'Robin Moss', revokedAt: null },
    ])
    expect((await by(own, made.token)('GET', '/v1/contacts')).status).toBe(200)
    const other = await organization()
    expect((await other.call('GET', `/v1/tokens?createdBy=usr_${maker.userId}`)).body.data).toEqual([])
  })
})

describe('two tokens', () => {
  // The embedded engine has one session, so transactions never wait for each other's locks.
  it.skipIf(inject('serverUrl') === '')('that rotate each other concurrently do not deadlock', async () => {
    const caller = await organization()
    const [one, other] = [await make(caller, { scopes: ['tokens:write'] }), await make(caller, { scopes: ['tokens:write'] })]
    const holdRow = async (id: string) => {
      const client = await database.pool.connect()
      await client.query('begin')
      const { rows } = await client.query('select pg_current_xact_id()::text as name from api_token where id = $1 for update', [
        id.slice(4),
      ])
      const release = async (): Promise<void> => {
        await client.query('commit')
        client.release()
      }
      return { transaction: rows[0].name as string, release }
    }
    const bothWait = async (notFor: string): Promise<boolean> => {
      const { rows } = await database.pool.query(
        `select count(distinct pid)::int as waiting, coalesce(bool_or(transactionid::text = $1), false) as for_it from pg_locks
         join pg_stat_activity using (pid) where not granted and datname = current_database()`,
        [notFor],
      )
      return rows[0].waiting === 2 && !rows[0].for_it
    }
    const [first, second] = [await holdRow(one.id), await holdRow(other.id)]
    const rotations = [
      by(caller, one.token)('POST', `/v1/tokens/${other.id}/rotate`, {}),
      by(caller, other.token)('POST', `/v1/tokens/${one.id}/rotate`, {}),
    ]
    await vi.waitUntil(() => bothWait(''), { timeout: 120_000 })
    // The other transaction gets this row now and waits for the second one.
    await second.release()
    await vi.waitUntil(() => bothWait(second.transaction), { timeout: 120_000 })
    await first.release()
    expect((await Promise.all(rotations)).map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('a token grants no more than it has', () => {
  it('of scopes', async () => {
    const caller = await organization()
    const call = by(caller, (await make(caller, { scopes: ['tokens:write', 'contacts:read'] })).token)
    expect(await call('POST', '/v1/tokens', { name: 'x', scopes: ['contacts:read', 'contacts:write'] })).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden', field: 'scopes', message: expect.stringContaining('contacts:write') } },
    })
    expect((await call('POST', '/v1/tokens', { name: 'x', scopes: ['contacts:read', 'tokens:write'] })).status).toBe(201)
  })

  it('of knowledge bases', async () => {
    const caller = await organization()
    const bases: string[] = []
    for (const name of ['A', 'B', 'C']) bases.push((await caller.call('POST', '/v1/bases', { name })).body.id)
    const [a, b, c] = bases
    const limited = await make(caller, { scopes: ['tokens:write', 'bases:read'], baseIds: [a, b, a] })
    expect(limited.baseIds).toEqual([a, b])
    const call = by(caller, limited.token)
    const grant = (baseIds?: unknown): Promise<Called> => call('POST', '/v1/tokens', { name: 'x', scopes: ['bases:read'], baseIds })
    for (const more of [undefined, null, [c], [a, c]]) expect(await grant(more)).toMatchObject(refusal(403, 'forbidden', 'baseIds'))
    const less = await grant([b])
    expect(less).toMatchObject({ status: 201, body: { baseIds: [b], createdBy: limited.id } })
    const { body } = await by(caller, less.body.token)('GET', '/v1/bases')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([b])
  })

  it('of lifetime', async () => {
    const caller = await organization()
    const call = by(caller, (await make(caller, { scopes: ['tokens:write'], expiresAt: inHours(2) })).token)
    const grant = (expiresAt?: unknown): Promise<Called> => call('POST', '/v1/tokens', { name: 'x', scopes: ['tokens:write'], expiresAt })
    for (const more of [undefined, null, inHours(3)]) expect(await grant(more)).toMatchObject(refusal(403, 'forbidden', 'expiresAt'))
    expect((await grant(inHours(1))).status).toBe(201)
  })

  it('by rotating a token with more permissions', async () => {
    const caller = await organization()
    const { id: baseId } = (await caller.call('POST', '/v1/bases', { name: 'A' })).body
    const weak = await make(caller, { scopes: ['tokens:write', 'bases:read'], baseIds: [baseId], expiresAt: inHours(1) })
    const strong = await make(caller, { scopes: ['tokens:write', 'bases:read', 'bases:write'] })
    const lasting = await make(caller, { scopes: ['bases:read'], baseIds: [baseId] })
    const wide = await make(caller, { scopes: ['bases:read'], expiresAt: inHours(1) })
    const call = by(caller, weak.token)
    for (const [other, field] of [
      [strong, 'scopes'],
      [lasting, 'expiresAt'],
      [wide, 'baseIds'],
    ] as const) {
      expect(await call('POST', `/v1/tokens/${other.id}/rotate`, { overlapSeconds: 60 })).toMatchObject(refusal(403, 'forbidden', field))
    }
    expect((await call('POST', `/v1/tokens/${weak.id}/rotate`, {})).status).toBe(200)
  })

  it('after revocation, although another process still has it cached', async () => {
    const caller = await organization()
    const { id, token } = await make(caller, { scopes: ['tokens:write'] })
    const { authenticate } = authenticator(database, { now: platform.now, monotonicMs: () => 0 })
    const other = await createApp({ platform, authenticate, handlers: moduleHandlers })
    const post = (url: string, payload: object) =>
      other.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${token}` } })
    expect((await post('/v1/tokens', { name: 'x', scopes: ['tokens:write'] })).statusCode).toBe(201)
    await caller.call('DELETE', `/v1/tokens/${id}`)
    expect((await post('/v1/tokens', { name: 'x', scopes: ['tokens:write'] })).statusCode).toBe(401)
    expect((await post(`/v1/tokens/${id}/rotate`, {})).statusCode).toBe(401)
    await other.close()
  })
})

describe('a leaked token', () => {
  it('can be revoked by anyone with its secret, and the response does not reveal whether it existed', async () => {
    const caller = await organization()
    const { id, token } = await make(caller)
    expect((await by(caller, token)('GET', '/v1/contacts')).status).toBe(200)
    const answers = []
    for (const text of [token, token, newSecret(), '', ' ', 'nonsense', `${token.slice(0, -1)}-`]) answers.push(await revoke(text))
    for (const answer of answers) expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect((await by(caller, token)('GET', '/v1/contacts')).status).toBe(401)
    expect((await caller.call('GET', `/v1/tokens/${id}`)).body.revokedAt).toMatch(/Z$/)
    expect((await caller.call('GET', '/v1/tokens')).status).toBe(200)
  })

  it('that was already rotated only ends its overlap', async () => {
    const caller = await organization()
    const { id, token } = await make(caller)
    const { body: rotated } = await caller.call('POST', `/v1/tokens/${id}/rotate`, { overlapSeconds: 60 })
    expect((await by(caller, token)('GET', '/v1/contacts')).status).toBe(200)
    expect((await revoke(token)).statusCode).toBe(204)
    expect((await by(caller, token)('GET', '/v1/contacts')).status).toBe(401)
    expect((await by(caller, rotated.token)('GET', '/v1/contacts')).status).toBe(200)
    expect((await caller.call('GET', `/v1/tokens/${id}`)).body.revokedAt).toBeNull()
  })
})

describe('secrets', () => {
  it('are never logged', async () => {
    const caller = await organization()
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    const { authenticate } = authenticator(database, { now: platform.now })
    const logged = await createApp({ platform: { ...platform, log }, authenticate, handlers: moduleHandlers })
    const send = async (secret: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
      logged.inject({ method, url, headers: { authorization: `Bearer ${secret}` }, ...(payload && { payload }) })
    const made = (await send(caller.token, 'POST', '/v1/tokens', { name: 'x', scopes: ['contacts:read'] })).json()
    const rotated = (await send(caller.token, 'POST', `/v1/tokens/${made.id}/rotate`, { overlapSeconds: 60 })).json()
    const unknown = newSecret()
    for (const secret of [made.token, rotated.token, unknown]) await send(secret, 'GET', '/v1/bases')
    await send('', 'POST', '/v1/tokens/revoke', { token: made.token, wrong: 1 })
    await send('', 'POST', '/v1/tokens/revoke', { token: made.token })
    await send(caller.token, 'DELETE', `/v1/tokens/${made.id}`)
    await logged.close()
    expect(lines.length).toBeGreaterThanOrEqual(8)
    for (const secret of [caller.token, made.token, rotated.token, unknown]) {
      expect(lines.filter((line) => line.includes(secret.slice(3, 12)) || line.includes(secret.slice(-12)))).toEqual([])
    }
  })
})
