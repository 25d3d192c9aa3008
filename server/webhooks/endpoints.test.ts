import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'

const { organization, database } = await testApp()
const url = 'https://hooks.example.com/groundwork'

const create = async ({ call }: Caller, body: object = {}) => (await call('POST', '/v1/webhooks', { url, ...body })).body

describe('webhook endpoints', () => {
  it('are created with a secret that is returned once', async () => {
    const caller = await organization()
    const { status, body } = await caller.call('POST', '/v1/webhooks', { url, eventTypes: ['contact.created', 'contact.created'] })
    const { secret, ...record } = body
    expect([status, record]).toEqual([
      201,
      {
        id: expect.stringMatching(/^whk_/),
        url,
        description: '',
        eventTypes: ['contact.created'],
        enabled: true,
        disabledAt: null,
        disabledReason: null,
        failingSince: null,
        previousSecretExpiresAt: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(24)
    const { body: read } = await caller.call('GET', `/v1/webhooks/${record.id}`)
    expect(read).toEqual(record)
    expect((await caller.call('GET', '/v1/webhooks')).body).toEqual({ data: [record], nextCursor: null })
    const { rows } = await database.pool.query('select * from webhook_endpoint where id = $1', [record.id.slice(4)])
    expect(rows[0].secret.toString('latin1')).not.toContain(secret.slice(6))
    expect((await create(caller)).secret).not.toBe(secret)
  })

  it('are listed newest first, in pages', async () => {
    const caller = await organization()
    for (const description of ['a', 'b', 'c']) await create(caller, { description })
    const first = (await caller.call('GET', '/v1/webhooks?limit=2')).body
    const second = (await caller.call('GET', `/v1/webhooks?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.data, ...second.data].map(({ description }) => description)).toEqual(['c', 'b', 'a'])
    expect(second.nextCursor).toBeNull()
  })

  it('can be updated field by field and deleted', async () => {
    const caller = await organization()
    const { secret: _, ...created } = await create(caller, { description: 'x' })
    const path = `/v1/webhooks/${created.id}`
    const changed = { url: 'http://other.example.com/', eventTypes: ['base.created'] }
    expect((await caller.call('PATCH', path, changed)).body).toEqual({ ...created, ...changed, updatedAt: expect.any(String) })
    expect((await caller.call('PATCH', path, { eventTypes: null, enabled: false })).body).toMatchObject({
      description: 'x',
      eventTypes: null,
      enabled: false,
      disabledReason: 'manual',
      disabledAt: expect.any(String),
    })
    expect((await caller.call('PATCH', path, { enabled: true })).body).toMatchObject({
      enabled: true,
      disabledReason: null,
      disabledAt: null,
    })
    expect((await caller.call('DELETE', path)).status).toBe(204)
    expect((await caller.call('DELETE', path)).status).toBe(404)
    expect((await caller.call('GET', path)).status).toBe(404)
  })

  it('are refused for a URL with a private address', async () => {
    const caller = await organization()
    const { id } = await create(caller)
    for (const refused of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'http://localhost/',
      'http://printer.local/',
      'ftp://example.com/',
      'javascript:alert(1)',
      'https://user:password@example.com/',
      'https://example.com:22/',
      'not an address',
    ]) {
      const error = { status: 422, body: { error: { code: 'validation_error', field: 'url' } } }
      expect([refused, await caller.call('POST', '/v1/webhooks', { url: refused })]).toMatchObject([refused, error])
      expect([refused, await caller.call('PATCH', `/v1/webhooks/${id}`, { url: refused })]).toMatchObject([refused, error])
    }
    // These tests allow the host with FETCH_ALLOW_HOSTS.
    expect((await caller.call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/' })).status).toBe(201)
  })

  it.each([
    ['eventTypes', { eventTypes: [] }],
    ['eventTypes.0', { eventTypes: ['contact.exploded'] }],
    ['secret', { secret: 'whsec_c2hvcnQ=' }],
    ['secret', { secret: 'whsec_!' }],
    ['secret', { secret: Buffer.alloc(32).toString('base64') }],
    ['secret', { secret: `whsec_${Buffer.alloc(65).toString('base64')}` }],
    ['description', { description: 'x'.repeat(501) }],
    ['enabled', { enabled: 'yes' }],
  ])('refuse a wrong %s', async (field, body) => {
    const { call } = await organization()
    expect(await call('POST', '/v1/webhooks', { url, ...body })).toMatchObject({ status: 422, body: { error: { field } } })
  })

  it('accept a secret of minimum and maximum length', async () => {
    const caller = await organization()
    for (const bytes of [24, 25, 64]) {
      const secret = `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
      expect(await create(caller, { secret })).toMatchObject({ secret })
    }
  })

  it('are limited to 50', async () => {
    const caller = await organization()
    for (let n = 0; n < 50; n += 1) expect(await create(caller)).toHaveProperty('id')
    expect(await caller.call('POST', '/v1/webhooks', { url })).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  })

  it('are refused to a token that may not read all events', async () => {
    const caller = await organization()
    const { id } = await create(caller)
    const scopes = ['webhooks:read', 'webhooks:write', 'events:read', 'tokens:write']
    const kb = (await caller.call('POST', '/v1/bases', { name: 'B' })).body.id
    const withToken = async (body: object) => {
      const { token } = (await caller.call('POST', '/v1/tokens', { name: 'T', ...body })).body
      return (method: string, path: string, sent?: unknown) => caller.call(method, path, sent, { authorization: `Bearer ${token}` })
    }
    const limited = await withToken({ scopes, baseIds: [kb] })
    const delivery = `/v1/webhooks/${id}/deliveries/${newId()}`
    for (const [method, path, body] of [
      ['POST', '/v1/webhooks', { url }],
      ['GET', '/v1/webhooks'],
      ['GET', `/v1/webhooks/${id}`],
      ['PATCH', `/v1/webhooks/${id}`, {}],
      ['DELETE', `/v1/webhooks/${id}`],
      ['POST', `/v1/webhooks/${id}/rotate-secret`, {}],
      ['POST', `/v1/webhooks/${id}/test`],
      ['POST', `/v1/webhooks/${id}/redeliver`, { since: '2026-01-01T00:00:00Z' }],
      ['GET', `/v1/webhooks/${id}/deliveries`],
      ['GET', delivery],
      ['POST', `${delivery}/redeliver`],
    ] as const) {
      expect([path, await limited(method, path, body)]).toMatchObject([path, { status: 403, body: { error: { code: 'forbidden' } } }])
    }
    const blind = await withToken({ scopes: ['webhooks:read', 'webhooks:write'] })
    expect((await blind('POST', '/v1/webhooks', { url })).status).toBe(403)
    expect((await blind('PATCH', `/v1/webhooks/${id}`, { url })).status).toBe(403)
    expect((await blind('GET', delivery)).status).toBe(403)
    expect((await blind('GET', `/v1/webhooks/${id}`)).status).toBe(200)
  })

  it('create one endpoint with one secret for a repeated Idempotency-Key', async () => {
    const caller = await organization()
    const send = () => caller.call('POST', '/v1/webhooks', { url }, { 'idempotency-key': 'k' })
    const [first, again] = [await send(), await send()]
    expect(again.body).toEqual(first.body)
    expect((await caller.call('GET', '/v1/webhooks')).body.data).toHaveLength(1)
  })
})

describe('GET /v1/events/{eventId}', () => {
  it('returns the same event as the list, to tokens with access', async () => {
    const caller = await organization()
    const [kb, other] = [
      (await caller.call('POST', '/v1/bases', { name: 'A' })).body.id,
      (await caller.call('POST', '/v1/bases', { name: 'B' })).body.id,
    ]
    const { data } = (await caller.call('GET', '/v1/events')).body
    for (const event of data) {
      const { status, body, headers } = await caller.call('GET', `/v1/events/${event.id}`)
      expect([status, body, headers['etag']]).toEqual([200, event, expect.any(String)])
    }
    const { token } = (await caller.call('POST', '/v1/tokens', { name: 'T', scopes: ['events:read'], baseIds: [kb] })).body
    const seen = async (id: string) =>
      (await caller.call('GET', `/v1/events/${id}`, undefined, { authorization: `Bearer ${token}` })).status
    expect([await seen(data[1].id), await seen(data[0].id)]).toEqual([200, 404])
    expect(data[0].data.id).toBe(other)
    expect((await caller.call('GET', `/v1/events/${newId()}`)).status).toBe(404)
  })
})
