import { describe, expect, it, vi } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'

const { organization } = await testApp({ worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) } })

type Body = Record<string, unknown>
const created = async ({ call }: Caller, path: string, body: Body): Promise<string> => (await call('POST', path, body)).body.id
const company = (caller: Caller, body: Body) => created(caller, '/v1/companies', body)
const get = async ({ call }: Caller, id: string) => (await call('GET', `/v1/companies/${id}`)).body
const merge = ({ call }: Caller, id: string, body: Body) => call('POST', `/v1/companies/${id}/merge`, body)
const unmerge = ({ call }: Caller, id: string, mergedId: string) => call('POST', `/v1/companies/${id}/unmerge`, { mergedId })
const contactsOf = async ({ call }: Caller, id: string): Promise<string[]> =>
  (await call('GET', `/v1/contacts?companyId=${id}`)).body.map((contact: { id: string }) => contact.id).toSorted()
const eventually = (condition: () => Promise<boolean>) => vi.waitUntil(condition, { timeout: 120_000 })

/** Two companies, the second one with two contacts. */
async function pair(caller: Caller) {
  const { call } = caller
  const size = await created(caller, '/v1/custom-fields', { entity: 'company', name: 'Size', type: 'number' })
  const a = await company(caller, { name: 'Example', domains: ['example.com'], tags: ['vip'], phone: '+442079460018' })
  const b = await company(caller, {
    name: 'Example Ltd',
    externalId: 'crm-2',
    domains: ['example.org'],
    tags: ['VIP', 'fair'],
    phone: '+442079460019',
    customFields: { [size]: 7 },
  })
  const contacts = [
    await created(caller, '/v1/contacts', { email: 'a@example.com', companyId: b }),
    await created(caller, '/v1/contacts', { email: 'b@example.com', companyId: b }),
  ].toSorted()
  return { call, a, b, size, contacts }
}

describe('POST /v1/companies/{id}/merge', () => {
  it('joins the values and moves the contacts', async () => {
    const caller = await organization()
    const { call, a, b, size, contacts } = await pair(caller)
    const before = await get(caller, a)
    const dry = await merge(caller, a, { otherIds: [b], fields: { name: b }, dryRun: true })
    expect([await get(caller, a), (await get(caller, b)).id]).toEqual([before, b])
    const { status, body } = await merge(caller, a, { otherIds: [b], fields: { name: b } })
    expect([status, body]).toEqual([
      200,
      { ...dry.body, dryRun: false, company: { ...dry.body.company, updatedAt: body.company.updatedAt } },
    ])
    expect(body).toMatchObject({ contacts: 2, omitted: [] })
    expect(body.company).toMatchObject({
      id: a,
      name: 'Example Ltd',
      externalId: 'crm-2',
      domains: ['example.com', 'example.org'],
      phone: '+442079460018',
      tags: ['vip', 'fair'],
      customFields: { [size]: 7 },
      mergedIds: [b],
    })
    expect(await get(caller, a)).toEqual(body.company)
    expect(await get(caller, b)).toEqual(body.company)
    expect((await call('GET', '/v1/companies')).body.data).toEqual([body.company])
    await eventually(async () => (await contactsOf(caller, a)).length === 2)
    expect(await contactsOf(caller, a)).toEqual(contacts)
    const types = (await call('GET', '/v1/events?limit=100')).body.data.map(({ type }: { type: string }) => type)
    expect(types.slice(0, 3)).toEqual(['contact.updated', 'contact.updated', 'company.merged'])
    expect((await call('GET', '/v1/audit?action=company.merged')).body.data).toMatchObject([{ targetId: a }])
    expect((await merge(caller, a, { otherIds: [b] })).body).toMatchObject({ contacts: 0, company: body.company })
    expect((await call('POST', `/v1/companies/${b}/restore`)).status).toBe(409)
  })

  it('lists the values that do not fit', async () => {
    const caller = await organization()
    const tags = (prefix: string) => Array.from({ length: 30 }, (_, at) => `${prefix}${at}`)
    const a = await company(caller, { name: 'A', tags: tags('a') })
    const b = await company(caller, { name: 'B', tags: tags('b') })
    const { body } = await merge(caller, a, { otherIds: [b] })
    expect(body.company.tags).toHaveLength(50)
    expect(body.omitted).toEqual(
      tags('b')
        .slice(20)
        .map((value) => ({ field: 'tags', value })),
    )
    expect((await unmerge(caller, a, b)).body).toMatchObject({ company: { tags: tags('a') }, restored: { tags: tags('b') } })
  })

  it('refuses itself, unknown companies and the token of an agent', async () => {
    const caller = await organization()
    const [a, b] = [await company(caller, { name: 'A' }), await company(caller, { name: 'B' })]
    const unknown = `co_${newId()}`
    const refusal = async (id: string, body: Body) => {
      const answer = await merge(caller, id, body)
      return [answer.status, answer.body.error.field]
    }
    expect(await refusal(a, { otherIds: [a] })).toEqual([422, 'otherIds'])
    expect(await refusal(a, { otherIds: [b, unknown] })).toEqual([422, 'otherIds.1'])
    expect(await refusal(a, { otherIds: [b], fields: { name: unknown } })).toEqual([422, 'fields.name'])
    expect(await refusal(a, { otherIds: [b], fields: { domains: b } })).toEqual([422, 'fields.domains'])
    expect((await merge(caller, unknown, { otherIds: [a] })).status).toBe(404)
    const agent = await caller.call('POST', '/v1/tokens', { name: 'Agent', scopes: ['contacts:write'], agent: true })
    const headers = { authorization: `Bearer ${agent.body.token}` }
    expect((await caller.call('POST', `/v1/companies/${a}/merge`, { otherIds: [b] }, headers)).status).toBe(403)
  })

  it('gives the same answer for a repeated Idempotency-Key', async () => {
    const caller = await organization()
    const [a, b] = [await company(caller, { name: 'A' }), await company(caller, { name: 'B' })]
    const send = () => caller.call('POST', `/v1/companies/${a}/merge`, { otherIds: [b] }, { 'idempotency-key': 'merge-1' })
    const first = await send()
    expect([first.status, (await send()).body]).toEqual([200, first.body])
  })

  it('merges companies into each other once under concurrent requests', async () => {
    const caller = await organization()
    const [a, b] = [
      await company(caller, { name: 'A', domains: ['a.example'] }),
      await company(caller, { name: 'B', domains: ['b.example'] }),
    ]
    const answers = await Promise.all([
      merge(caller, a, { otherIds: [b] }),
      merge(caller, b, { otherIds: [a] }),
      merge(caller, a, { otherIds: [b] }),
    ])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    const { data } = (await caller.call('GET', '/v1/companies')).body
    expect(data).toHaveLength(1)
    expect(data[0].domains.toSorted()).toEqual(['a.example', 'b.example'])
  })
})

describe('the id of a merged company', () => {
  it('means the company in which it is', async () => {
    const caller = await organization()
    const { call, a, b, contacts } = await pair(caller)
    const c = await company(caller, { name: 'C' })
    await merge(caller, a, { otherIds: [b] })
    await merge(caller, c, { otherIds: [a] })
    expect((await call('PATCH', `/v1/companies/${b}`, { vatId: 'DE123456789' })).body).toMatchObject({ id: c, vatId: 'DE123456789' })
    await eventually(async () => (await contactsOf(caller, c)).length === 2)
    expect(await contactsOf(caller, b)).toEqual(contacts)
    const found = (await call('POST', '/v1/contacts/search', { filter: { key: 'companyId', eq: b } })).body.data
    expect(found).toHaveLength(2)
    const companyId = b
    const one = (await call('POST', '/v1/contacts', { email: 'one@example.com', companyId })).body
    const two = (await call('POST', '/v1/contacts', { email: 'two@example.com' })).body
    const changed = (await call('PATCH', `/v1/contacts/${two.id}`, { companyId })).body
    const upserted = (await call('POST', '/v1/contacts/upsert', { matchOn: 'email', email: 'three@example.com', companyId })).body
    expect([one.companyId, changed.companyId, upserted.companyId]).toEqual([c, c, c])
    await call('PATCH', `/v1/contacts/${two.id}`, { companyId: null })
    expect((await call('POST', '/v1/contacts/bulk', { contactIds: [two.id], set: { companyId } })).status).toBe(201)
    await eventually(async () => (await contactsOf(caller, c)).length === 5)
    expect((await call('DELETE', `/v1/companies/${b}`)).status).toBe(404)
  })
})

describe('POST /v1/companies/{id}/unmerge', () => {
  it('gives both companies their values and contacts, and keeps later changes', async () => {
    const caller = await organization()
    const { call, a, b, contacts } = await pair(caller)
    const [beforeA, beforeB] = [await get(caller, a), await get(caller, b)]
    await merge(caller, a, { otherIds: [b], fields: { phone: b } })
    await eventually(async () => (await contactsOf(caller, a)).length === 2)
    const [moved = '', other = ''] = contacts
    await call('PATCH', `/v1/contacts/${moved}`, { companyId: a })
    await call('PATCH', `/v1/companies/${a}`, { vatId: 'DE123456789', tags: ['vip', 'fair', 'new'] })
    const { status, body } = await unmerge(caller, a, b)
    expect([status, body.keptFields.toSorted()]).toEqual([200, ['tags', 'vatId']])
    expect(body.company).toEqual({ ...beforeA, vatId: 'DE123456789', tags: ['vip', 'new'], updatedAt: body.company.updatedAt })
    expect(body.restored).toEqual(beforeB)
    expect(await get(caller, b)).toEqual(beforeB)
    await eventually(async () => (await contactsOf(caller, b)).length === 1)
    expect([await contactsOf(caller, a), await contactsOf(caller, b)]).toEqual([[moved], [other]])
    expect((await call('GET', '/v1/audit?action=company.unmerged')).body.data).toMatchObject([{ targetId: a }])
    expect((await unmerge(caller, a, b)).body.error.field).toBe('mergedId')
  })

  it('takes merges back in any order', async () => {
    const caller = await organization()
    const ids = async (a: Body, b: Body) =>
      Promise.all([
        company(caller, { name: 'S', phone: '+442079460011' }),
        company(caller, { name: 'A', ...a }),
        company(caller, { name: 'B', ...b }),
      ])
    const [s, a, b] = await ids({ phone: '+442079460012' }, { phone: '+442079460013' })
    const before = await Promise.all([s, a, b].map((id) => get(caller, id)))
    for (const other of [a, b]) await merge(caller, s, { otherIds: [other], fields: { phone: other } })
    expect((await unmerge(caller, s, a)).body).toMatchObject({ company: { phone: '+442079460013', mergedIds: [b] }, keptFields: [] })
    expect((await unmerge(caller, s, b)).body.keptFields).toEqual([])
    const after = await Promise.all([s, a, b].map((id) => get(caller, id)))
    expect(after).toEqual(before.map((each, at) => (at === 0 ? { ...each, updatedAt: expect.any(String) } : each)))
  })

  it('keeps the values of a company that is still merged', async () => {
    const caller = await organization()
    const values = { tags: ['x'], vatId: 'DE123456789' }
    const [s, a, b] = [
      await company(caller, { name: 'S' }),
      await company(caller, { name: 'A', ...values }),
      await company(caller, { name: 'B', ...values, externalId: 'b' }),
    ]
    const before = await get(caller, s)
    await merge(caller, s, { otherIds: [a] })
    await merge(caller, s, { otherIds: [b] })
    expect((await unmerge(caller, s, a)).body).toMatchObject({ company: { ...values, externalId: 'b' }, keptFields: [] })
    const { company: last, keptFields } = (await unmerge(caller, s, b)).body
    expect([last, keptFields]).toEqual([{ ...before, updatedAt: last.updatedAt }, []])
  })

  it('lists the contacts that came since and stay', async () => {
    const caller = await organization()
    const { call, a, b, contacts } = await pair(caller)
    const [former, added, set] = [
      await created(caller, '/v1/contacts', { email: 'former@example.com', companyId: a }),
      await created(caller, '/v1/contacts', { email: 'set@example.com' }),
      contacts[0] ?? '',
    ]
    await merge(caller, a, { otherIds: [b] })
    await eventually(async () => (await contactsOf(caller, a)).length === 3)
    await call('PATCH', `/v1/contacts/${set}`, { companyId: a })
    await call('PATCH', `/v1/contacts/${added}`, { companyId: a })
    const { body } = await unmerge(caller, a, b)
    expect(body.keptContactIds.toSorted()).toEqual([added, set].toSorted())
    await eventually(async () => (await contactsOf(caller, b)).length === 1)
    expect(await contactsOf(caller, a)).toEqual([former, added, set].toSorted())
  })

  it('undoes a merge of merged companies one after the other, each with its own contacts', async () => {
    const caller = await organization()
    const [a, b, c] = [await company(caller, { name: 'A' }), await company(caller, { name: 'B' }), await company(caller, { name: 'C' })]
    const ofB = await created(caller, '/v1/contacts', { email: 'b@example.com', companyId: b })
    const ofC = await created(caller, '/v1/contacts', { email: 'c@example.com', companyId: c })
    const moved = await created(caller, '/v1/contacts', { email: 'm@example.com', companyId: c })
    const owners = async (): Promise<string[][]> => {
      const all: { id: string; companyId: string }[] = (await caller.call('GET', '/v1/contacts')).body
      return [a, b, c].map((owner) => all.flatMap(({ id, companyId }) => (companyId === owner ? [id] : [])).toSorted())
    }
    const eventuallyOwn = (...expected: string[][]) =>
      eventually(async () => JSON.stringify(await owners()) === JSON.stringify(expected.map((ids) => ids.toSorted())))
    await merge(caller, b, { otherIds: [c] })
    await eventuallyOwn([], [ofB, ofC, moved], [])
    await merge(caller, a, { otherIds: [b] })
    expect((await get(caller, a)).mergedIds).toEqual([b, c])
    expect((await get(caller, c)).id).toBe(a)
    await eventuallyOwn([ofB, ofC, moved], [], [])
    await caller.call('PATCH', `/v1/contacts/${moved}`, { companyId: a })
    expect((await unmerge(caller, a, c)).status).toBe(409)
    expect((await unmerge(caller, a, b)).body).toMatchObject({ company: { mergedIds: [] }, restored: { mergedIds: [c] } })
    expect((await get(caller, c)).id).toBe(b)
    await eventuallyOwn([moved], [ofB, ofC], [])
    expect((await unmerge(caller, b, c)).body).toMatchObject({ company: { mergedIds: [] }, restored: { id: c, name: 'C' } })
    await eventuallyOwn([moved], [ofB], [ofC])
  })

  it('keeps the own company of contacts while their company is deleted', async () => {
    const caller = await organization()
    const [b, c] = [await company(caller, { name: 'B' }), await company(caller, { name: 'C' })]
    const contact = await created(caller, '/v1/contacts', { email: 'c@example.com', companyId: c })
    await merge(caller, b, { otherIds: [c] })
    await eventually(async () => (await contactsOf(caller, b)).length === 1)
    await caller.call('DELETE', `/v1/companies/${b}`)
    await eventually(async () => (await caller.call('GET', `/v1/contacts/${contact}`)).body.companyId === null)
    await caller.call('POST', `/v1/companies/${b}/restore`)
    await eventually(async () => (await contactsOf(caller, b)).length === 1)
    await unmerge(caller, b, c)
    await eventually(async () => (await contactsOf(caller, c)).length === 1)
    expect(await contactsOf(caller, b)).toEqual([])
  })

  it('follows merges of companies when a merge of contacts is undone', async () => {
    const caller = await organization()
    const { call } = caller
    const [b, c, d] = [await company(caller, { name: 'B' }), await company(caller, { name: 'C' }), await company(caller, { name: 'D' })]
    const first = await created(caller, '/v1/contacts', { email: 'first@example.com', companyId: c })
    const second = await created(caller, '/v1/contacts', { email: 'second@example.com', companyId: d })
    await call('POST', `/v1/contacts/${first}/merge`, { otherIds: [second], fields: { companyId: second } })
    await merge(caller, b, { otherIds: [c] })
    await call('POST', `/v1/contacts/${first}/unmerge`, { mergedId: second })
    expect([await contactsOf(caller, b), await contactsOf(caller, d)]).toEqual([[first], [second]])
    await unmerge(caller, b, c)
    await eventually(async () => (await contactsOf(caller, c)).length === 1)
  })

  it('is 409 if a domain was taken', async () => {
    const caller = await organization()
    const { call, a, b } = await pair(caller)
    await merge(caller, a, { otherIds: [b] })
    await call('PATCH', `/v1/companies/${a}`, { domains: ['example.com'] })
    await company(caller, { name: 'Other', domains: ['example.org'] })
    const refused = await unmerge(caller, a, b)
    expect([refused.status, refused.body.error.field]).toEqual([409, 'domains'])
    expect((await get(caller, b)).id).toBe(a)
  })
})
