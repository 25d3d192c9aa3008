import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { person } from '../testing/people.ts'

const service = await testApp()
const { organization, database } = service

const vips = { name: 'VIPs', filter: { key: 'tags', eq: 'vip' }, sort: 'name', columns: ['name', 'email', 'tags'] }

const newField = async ({ call }: Pick<Caller, 'call'>, entity = 'contact'): Promise<string> =>
  (await call('POST', '/v1/custom-fields', { entity, name: newId(), type: 'text' })).body.id

/** An organization with a signed-in owner, and two members. */
async function members() {
  const caller = await organization()
  const as = async (role: 'owner' | 'member' | 'viewer') => {
    const { userId, of } = await person(service, { [caller.organizationId]: role })
    return { userId: `usr_${userId}`, call: of(caller.organizationId) }
  }
  return { caller, owner: await as('owner'), ada: await as('member'), ben: await as('member'), viewer: await as('viewer') }
}

describe('views of contacts', () => {
  it('are created, listed, changed and deleted', async () => {
    const caller = await organization()
    const { call } = caller
    const size = await newField(caller)
    const { status, body: view } = await call('POST', '/v1/contact-views', { ...vips, columns: ['name', `customFields.${size}`, 'name'] })
    expect([status, view]).toEqual([
      201,
      {
        ...vips,
        id: expect.stringMatching(/^view_/),
        columns: ['name', `customFields.${size}`],
        q: null,
        shared: true,
        ownerId: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    const path = `/v1/contact-views/${view.id}`
    expect((await call('GET', '/v1/contact-views')).body).toEqual({ data: [view], nextCursor: null })
    const changed = await call('PATCH', path, {
      filter: null,
      q: 'ada',
      columns: ['phone', `customFields.${size.slice(-36).toUpperCase()}`],
    })
    expect(changed.body).toMatchObject({ name: 'VIPs', filter: null, q: 'ada', sort: null, columns: ['phone', `customFields.${size}`] })
    expect((await call('GET', path)).body).toEqual(changed.body)
    expect((await call('PATCH', path, { q: null })).body).toMatchObject({ q: null, sort: 'name' })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('GET', '/v1/contact-views')).body.data).toEqual([])
    const { data } = (await call('GET', `/v1/audit?targetId=${view.id}`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'contact_view.deleted',
      'contact_view.updated',
      'contact_view.updated',
      'contact_view.created',
    ])
  })

  it('are searches', async () => {
    const { call } = await organization()
    for (const view of [vips, { ...vips, q: 'ada' }, { name: 'A', q: 'ada', columns: ['name'] }, { name: 'All', columns: ['name'] }]) {
      const { filter, q, sort } = (await call('POST', '/v1/contact-views', view)).body
      const search = Object.fromEntries(Object.entries({ filter, q, sort }).filter(([, value]) => value !== null))
      expect([search, (await call('POST', '/v1/contacts/search', search)).status]).toEqual([search, 200])
    }
  })

  it('keep an archived field in their columns', async () => {
    const caller = await organization()
    const size = await newField(caller)
    const columns = ['name', `customFields.${size}`]
    const { id } = (await caller.call('POST', '/v1/contact-views', { ...vips, columns })).body
    await caller.call('DELETE', `/v1/custom-fields/${size}`)
    expect((await caller.call('GET', `/v1/contact-views/${id}`)).body.columns).toEqual(columns)
    expect((await caller.call('PATCH', `/v1/contact-views/${id}`, { name: 'Sizes', columns })).status).toBe(200)
  })

  it('refuse what does not exist', async () => {
    const caller = await organization()
    const [other, ofCompanies] = [await newField(await organization()), await newField(caller, 'company')]
    const { id } = (await caller.call('POST', '/v1/contact-views', vips)).body
    for (const [field, change] of [
      ['columns.0', { columns: ['nickname'] }],
      ['columns', { columns: [] }],
      ['columns.1', { columns: ['name', `customFields.${other}`] }],
      ['columns.1', { columns: ['name', `customFields.${ofCompanies}`] }],
      ['filter.and.0.key', { filter: { and: [{ key: 'nickname', eq: 'x' }] } }],
      ['filter.key', { filter: {} }],
      ['sort', { sort: 'email' }],
      ['shared', { shared: false }],
      ['name', { name: ' ' }],
      ['ownerId', { ownerId: newId() }],
    ] as const) {
      for (const [method, path] of [
        ['POST', '/v1/contact-views'],
        ['PATCH', `/v1/contact-views/${id}`],
      ] as const) {
        const { status, body } = await caller.call(method, path, { ...vips, ...change })
        expect([change, status, body.error?.field]).toEqual([change, 422, field])
      }
    }
    expect((await caller.call('GET', '/v1/contact-views')).body.data).toHaveLength(1)
  })

  it('are shared, or those of one member', async () => {
    const { caller, owner, ada, ben, viewer } = await members()
    const own = (await ada.call('POST', '/v1/contact-views', vips)).body
    expect(own).toMatchObject({ shared: false, ownerId: ada.userId })
    const path = `/v1/contact-views/${own.id}`
    const named = { name: 'Best' }
    for (const { call } of [owner, ben, viewer, caller]) {
      expect((await call('GET', '/v1/contact-views')).body.data).toEqual([])
      expect((await call('GET', path)).status).toBe(404)
    }
    for (const { call } of [owner, ben, caller])
      expect([(await call('PATCH', path, named)).status, (await call('DELETE', path)).status]).toEqual([404, 404])

    expect((await ada.call('PATCH', path, { shared: true })).status).toBe(200)
    for (const { call } of [owner, ben, viewer, caller]) expect((await call('GET', path)).body).toMatchObject({ shared: true })
    for (const { call } of [ben, viewer])
      expect([(await call('PATCH', path, named)).status, (await call('DELETE', path)).status]).toEqual([403, 403])
    for (const { call } of [owner, caller, ada]) {
      expect((await call('PATCH', path, named)).body).toMatchObject({ name: 'Best', ownerId: ada.userId })
    }
    for (const { call } of [owner, caller]) expect((await call('PATCH', path, { shared: false })).body.error.field).toBe('shared')
    expect((await ada.call('PATCH', path, { shared: false })).body).toMatchObject({ shared: false })
    expect((await viewer.call('POST', '/v1/contact-views', vips)).status).toBe(403)
  })

  it('of a member who leaves are deleted, and shared ones stay without an owner', async () => {
    const { caller, owner, ada, ben } = await members()
    const own = (await ada.call('POST', '/v1/contact-views', vips)).body
    const shared = (await ada.call('POST', '/v1/contact-views', { ...vips, shared: true })).body
    const others = (await ben.call('POST', '/v1/contact-views', vips)).body
    expect((await owner.call('DELETE', `/v1/members/${ada.userId}`)).status).toBe(204)
    const { rows } = await database.pool.query('select id from contact_view where organization_id = $1 order by id', [
      caller.organizationId,
    ])
    expect(rows.map(({ id }) => id)).toEqual([shared.id.slice(-36), others.id.slice(-36)])
    expect(rows.map(({ id }) => id)).not.toContain(own.id.slice(-36))
    const left = await ben.call('PATCH', `/v1/contact-views/${shared.id}`, { name: 'Ours' })
    expect(left.body).toMatchObject({ name: 'Ours', ownerId: null, shared: true })
    expect((await ben.call('PATCH', `/v1/contact-views/${shared.id}`, { shared: false })).body.error.field).toBe('shared')
  })

  it('are refused beyond 200', async () => {
    const { call, organizationId } = await organization()
    await database.pool.query(
      `insert into contact_view select $1, gen_random_uuid(), 'V', null, null, 'name', '{name}', true, null, now(), now() from generate_series(1, 199)`,
      [organizationId],
    )
    expect((await call('POST', '/v1/contact-views', vips)).status).toBe(201)
    expect((await call('POST', '/v1/contact-views', vips)).body.error.code).toBe('conflict')
  })

  it('answer 412 if the view has changed since', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contact-views', vips)).body
    const { etag } = (await call('GET', `/v1/contact-views/${id}`)).headers
    const rename = (name: string) => call('PATCH', `/v1/contact-views/${id}`, { name }, { 'if-match': String(etag) })
    expect([(await rename('A')).status, (await rename('B')).status]).toEqual([200, 412])
    expect((await call('GET', `/v1/contact-views/${id}`)).body.name).toBe('A')
  })

  it('that name a person are deleted when the contact is erased', async () => {
    const { call } = await organization()
    const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+442079460018' }
    const { id } = (await call('POST', '/v1/contacts', ada)).body
    for (const view of [
      { name: 'Ada  Lovelace' },
      { q: 'lovelace ada' },
      { q: '020 7946 0018' },
      {
        filter: {
          or: [
            { key: 'tags', eq: 'vip' },
            { key: 'email', in: ['b@example.com', 'Ada@example.com'] },
          ],
        },
      },
      { name: 'Ada' },
      { filter: { key: 'email', eq: 'b@example.com' } },
    ])
      expect((await call('POST', '/v1/contact-views', { ...vips, ...view })).status).toBe(201)
    const { body } = await call('POST', `/v1/contacts/${id}/erase`)
    expect(body.erased).toContainEqual({ kind: 'saved_views', count: 4 })
    expect((await call('GET', '/v1/contact-views')).body.data.map(({ name }: { name: string }) => name)).toEqual(['VIPs', 'Ada'])
  })
})
