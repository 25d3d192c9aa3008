import { describe, expect, it, vi } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { purgeCompanyWork } from './purge.ts'

let time: Date | undefined
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { organization } = await testApp({ now: () => time ?? new Date(), worker: { outbound } })

const eventually = (condition: () => Promise<boolean>) => vi.waitUntil(condition, { timeout: 120_000 })

const created = async ({ call }: Caller, path: string, body: object) => {
  const answer = await call('POST', path, body)
  expect([path, answer.status, answer.body]).toEqual([path, 201, expect.anything()])
  return answer.body
}
const companyOf = async ({ call }: Caller, contact: string): Promise<string | null> =>
  (await call('GET', `/v1/contacts/${contact}`)).body.companyId

describe('POST /v1/companies', () => {
  it('stores the fields in their normal form', async () => {
    const caller = await organization()
    const address = { line1: '1 High Street', city: 'London', postalCode: 'N1 1AA', country: 'gb' }
    const company = await created(caller, '/v1/companies', {
      name: ' Example Ltd ',
      externalId: 'crm-7',
      domains: ['https://www.Example.com/about', 'BÜCHER.example', 'example.com'],
      phone: '+44 (0)20-7946 0018',
      address,
      vatId: 'de 123.456-789',
      tags: ['supplier', 'supplier'],
    })
    expect(company).toEqual({
      id: expect.stringMatching(/^co_/),
      externalId: 'crm-7',
      name: 'Example Ltd',
      domains: ['example.com', 'xn--bcher-kva.example'],
      phone: '+442079460018',
      address: { line1: '1 High Street', line2: null, city: 'London', region: null, postalCode: 'N1 1AA', country: 'GB' },
      vatId: 'DE123456789',
      tags: ['supplier'],
      customFields: {},
      mergedIds: [],
      createdAt: company.createdAt,
      updatedAt: company.createdAt,
    })
    expect((await caller.call('GET', `/v1/companies/${company.id}`)).body).toEqual(company)
    expect((await caller.call('GET', '/v1/events')).body.data[0]).toMatchObject({ type: 'company.created', data: company })
  })

  it.each([
    ['name', {}],
    ['name', { name: ' ' }],
    ['domains.0', { name: 'C', domains: ['no domain'] }],
    ['domains.1', { name: 'C', domains: ['example.com', '127.0.0.1'] }],
    ['phone', { name: 'C', phone: '+999 123 4567' }],
    ['vatId', { name: 'C', vatId: '123456789' }],
    ['address.country', { name: 'C', address: { country: 'Germany' } }],
    ['domain', { name: 'C', domain: 'example.com' }],
  ])('refuses an invalid %s', async (field, body) => {
    const { call } = await organization()
    const answer = await call('POST', '/v1/companies', body)
    expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([422, 'validation_error', field])
  })

  it.each([
    ['externalId', { externalId: 'one' }],
    ['domains', { domains: ['other.example', 'example.com'] }],
  ])('creates one company for parallel calls with the same %s', async (field, taken) => {
    const { call } = await organization()
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/v1/companies', { name: 'C', ...taken })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
    for (const { body } of answers.filter(({ status }) => status === 409)) expect(body.error.field).toBe(field)
    // Another organization can have the same.
    await created(await organization(), '/v1/companies', { name: 'C', ...taken })
  })
})

describe('PATCH /v1/companies/{id}', () => {
  it('keeps omitted fields, clears null and replaces domains', async () => {
    const caller = await organization()
    const { call } = caller
    const before = await created(caller, '/v1/companies', { name: 'C', domains: ['a.example', 'b.example'], vatId: 'DE123456789' })
    const path = `/v1/companies/${before.id}`
    const { body: after } = await call('PATCH', path, { domains: ['b.example', 'c.example'], vatId: null })
    expect(after).toEqual({ ...before, domains: ['b.example', 'c.example'], vatId: null, updatedAt: after.updatedAt })
    expect((await call('PATCH', path, { name: null })).status).toBe(422)
    const other = await created(caller, '/v1/companies', { name: 'D', domains: ['a.example'] })
    const taken = await call('PATCH', `/v1/companies/${other.id}`, { domains: ['c.example'] })
    expect([taken.status, taken.body.error.field]).toEqual([409, 'domains'])
    expect((await call('GET', `/v1/companies/${other.id}`)).body.domains).toEqual(['a.example'])
    expect((await call('PATCH', path, { domains: null })).body.domains).toEqual([])
    expect((await call('PATCH', `/v1/companies/${other.id}`, { domains: ['c.example'] })).status).toBe(200)
  })
})

describe('GET /v1/companies', () => {
  it('filters and pages', async () => {
    const caller = await organization()
    const ids: string[] = []
    for (const name of ['Alpha Müller', 'Beta', 'Gamma'])
      ids.unshift((await created(caller, '/v1/companies', { name, domains: [`${name.slice(0, 4)}.example`], tags: [name, 'all'] })).id)
    const list = async (query: string): Promise<string[]> => {
      const { status, body } = await caller.call('GET', `/v1/companies?${query}`)
      expect([query, status]).toEqual([query, 200])
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await list('')).toEqual(ids)
    expect(await list('q=muller alp')).toEqual([ids[2]])
    expect(await list('q=%25')).toEqual([])
    expect(await list('domain=https://www.BETA.example/x')).toEqual([ids[1]])
    expect(await list('tag=all&tag=Gamma')).toEqual([ids[0]])
    expect(await list('externalId=none')).toEqual([])
    const first = (await caller.call('GET', '/v1/companies?limit=2')).body
    expect(await list(`limit=2&cursor=${first.nextCursor}`)).toEqual([ids[2]])
  })
})

describe('the company of a contact', () => {
  it('can be set, changed, filtered and cleared', async () => {
    const caller = await organization()
    const { call } = caller
    const [a, b] = [await created(caller, '/v1/companies', { name: 'A' }), await created(caller, '/v1/companies', { name: 'B' })]
    const contact = await created(caller, '/v1/contacts', { email: 'a@example.com', companyId: a.id })
    expect(contact.companyId).toBe(a.id)
    await created(caller, '/v1/contacts', { email: 'b@example.com' })
    expect((await call('GET', `/v1/contacts?companyId=${a.id}&count=true`)).body).toEqual([contact])
    expect((await call('GET', `/v1/contacts?companyId=${a.id}&q=example`)).body).toEqual([contact])
    expect((await call('PATCH', `/v1/contacts/${contact.id}`, { companyId: b.id })).body.companyId).toBe(b.id)
    expect((await call('GET', `/v1/contacts?companyId=${a.id}`)).body).toEqual([])
    expect((await call('PATCH', `/v1/contacts/${contact.id}`, { companyId: null })).body.companyId).toBeNull()
    for (const companyId of [`co_${newId()}`, newId()]) {
      const unknown = await call('PATCH', `/v1/contacts/${contact.id}`, { companyId })
      expect([unknown.status, unknown.body.error.field]).toEqual([422, 'companyId'])
    }
  })

  it('is never deleted meanwhile', async () => {
    const caller = await organization()
    const { id } = await created(caller, '/v1/companies', { name: 'A' })
    const contacts = Array.from({ length: 6 }, (_, index) =>
      caller.call('POST', '/v1/contacts', { email: `${index}@example.com`, companyId: id }),
    )
    const deleted = caller.call('DELETE', `/v1/companies/${id}`)
    for (const { status } of await Promise.all(contacts)) expect([201, 422]).toContain(status)
    expect((await deleted).status).toBe(204)
    await eventually(async () =>
      (await caller.call('GET', '/v1/contacts')).body.every((each: { companyId: null }) => each.companyId === null),
    )
  })
})

describe('DELETE /v1/companies/{id} and restore', () => {
  it('hides the company, takes it from its contacts, and restores both', async () => {
    const caller = await organization()
    const { call } = caller
    const company = await created(caller, '/v1/companies', { name: 'A', domains: ['a.example'], externalId: 'e' })
    const [kept, moved] = [
      (await created(caller, '/v1/contacts', { email: 'a@example.com', companyId: company.id })).id,
      (await created(caller, '/v1/contacts', { email: 'b@example.com', companyId: company.id })).id,
    ]
    expect((await call('DELETE', `/v1/companies/${company.id}`)).status).toBe(204)
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'X' }],
      ['DELETE', undefined],
    ] as const)
      expect((await call(method, `/v1/companies/${company.id}`, body)).status).toBe(404)
    expect((await call('GET', '/v1/companies')).body.data).toEqual([])
    expect(await call('POST', '/v1/contacts', { email: 'c@example.com', companyId: company.id })).toMatchObject({ status: 422 })
    await eventually(async () => (await companyOf(caller, kept)) === null && (await companyOf(caller, moved)) === null)
    const updates = (await call('GET', '/v1/events?type=contact.updated')).body.data
    expect(updates.map(({ data }: { data: { id: string } }) => data.id).toSorted()).toEqual([kept, moved].toSorted())
    const other = await created(caller, '/v1/companies', { name: 'B', domains: ['a.example'] })
    await call('PATCH', `/v1/contacts/${moved}`, { companyId: other.id })
    const conflict = await call('POST', `/v1/companies/${company.id}/restore`)
    expect([conflict.status, conflict.body.error.field]).toEqual([409, 'domains'])
    await call('PATCH', `/v1/companies/${other.id}`, { domains: null })
    expect(await call('POST', `/v1/companies/${company.id}/restore`)).toMatchObject({ status: 200, body: company })
    expect(await call('POST', `/v1/companies/${company.id}/restore`)).toMatchObject({ status: 200, body: company })
    await eventually(async () => (await companyOf(caller, kept)) === company.id)
    expect(await companyOf(caller, moved)).toBe(other.id)
  })

  it('lists the companies that can be restored, the last deleted first, to people of the organization', async () => {
    const caller = await organization()
    const { call } = caller
    const list = async (query = ''): Promise<{ id: string }[]> => {
      const { status, body } = await call('GET', `/v1/companies/deleted?${query}`)
      expect([query, status]).toEqual([query, 200])
      return body.data
    }
    const ids = async (query = ''): Promise<string[]> => (await list(query)).map(({ id }) => id)
    const [kept, merged, old, zoe] = [
      await created(caller, '/v1/companies', { name: 'Kept' }),
      await created(caller, '/v1/companies', { name: 'Merged' }),
      await created(caller, '/v1/companies', { name: 'Old' }),
      await created(caller, '/v1/companies', { name: 'Zoë Works', domains: ['zoe.example'] }),
    ]
    expect((await call('POST', `/v1/companies/${kept.id}/merge`, { otherIds: [merged.id] })).status).toBe(200)
    expect(await ids()).toEqual([])
    time = new Date('2026-03-01T08:00:00Z')
    await call('DELETE', `/v1/companies/${old.id}`)
    time = new Date('2026-03-01T08:00:01Z')
    await call('DELETE', `/v1/companies/${zoe.id}`)
    expect(await list()).toEqual([
      {
        id: zoe.id,
        name: 'Zoë Works',
        domains: ['zoe.example'],
        deletedAt: '2026-03-01T08:00:01.000Z',
        restorableUntil: '2026-03-31T08:00:01.000Z',
      },
      expect.objectContaining({ id: old.id }),
    ])
    for (const q of ['zoe', 'WORKS zoe', 'zoe.example']) expect([q, await ids(`q=${q}`)]).toEqual([q, [zoe.id]])
    expect(await ids('q=zoe%20old')).toEqual([])
    const { nextCursor } = (await call('GET', '/v1/companies/deleted?limit=1')).body
    expect(await ids(`cursor=${nextCursor}`)).toEqual([old.id])
    expect((await (await organization()).call('GET', '/v1/companies/deleted')).body.data).toEqual([])
    const agent = (await call('POST', '/v1/tokens', { name: 'agent', scopes: ['contacts:write'], agent: true })).body
    const refused = await call('GET', '/v1/companies/deleted', undefined, { authorization: `Bearer ${agent.token}` })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
    expect((await call('POST', `/v1/companies/${zoe.id}/restore`)).status).toBe(200)
    expect(await ids()).toEqual([old.id])
    time = new Date('2026-03-31T08:00:01Z')
    expect(await ids()).toEqual([])
    time = undefined
  })

  it('is purged after 30 days', async () => {
    const caller = await organization()
    const { call, ctx } = caller
    const { id } = await created(caller, '/v1/companies', { name: 'A' })
    await call('DELETE', `/v1/companies/${id}`)
    const { rows } = await ctx.db.pool.query('select deleted_at from company where id = $1', [id.slice(3)])
    time = new Date(Date.now() + 30 * 86_400_000 + 1000)
    expect((await call('POST', `/v1/companies/${id}/restore`)).status).toBe(404)
    time = undefined
    await purgeCompanyWork.run(ctx, { companyId: id.slice(3), deletedAt: rows[0].deleted_at.toISOString() })
    expect((await call('POST', `/v1/companies/${id}/restore`)).status).toBe(404)
    expect((await call('GET', '/v1/audit')).body.data[0]).toMatchObject({ action: 'company.purged', targetId: id })
  })
})
