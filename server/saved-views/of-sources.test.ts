import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'

const service = await testApp()
const { organization, database } = service

const path = '/v1/source-views'
const failed = { name: 'Failed pages', filter: { status: 'failed', type: 'url' }, sort: '-updatedAt' }

describe('views of sources', () => {
  it('are created, listed, changed and deleted', async () => {
    const { call } = await organization()
    const { status, body: view } = await call('POST', path, failed)
    expect([status, view]).toEqual([
      201,
      {
        ...failed,
        id: expect.stringMatching(/^srv_/),
        q: null,
        shared: true,
        ownerId: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect((await call('GET', path)).body).toEqual({ data: [view], nextCursor: null })
    const changed = await call('PATCH', `${path}/${view.id}`, { filter: null, q: 'bicycles' })
    expect(changed.body).toMatchObject({ name: failed.name, filter: null, q: 'bicycles', sort: '-updatedAt' })
    expect((await call('GET', `${path}/${view.id}`)).body).toEqual(changed.body)
    expect((await call('DELETE', `${path}/${view.id}`)).status).toBe(204)
    expect((await call('GET', `${path}/${view.id}`)).status).toBe(404)
    const { data } = (await call('GET', `/v1/audit?targetId=${view.id}`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'source_view.deleted',
      'source_view.updated',
      'source_view.created',
    ])
  })

  it('have the orders, conditions and text that the list of each knowledge base takes', async () => {
    const { call } = await organization()
    const bases = await Promise.all(['A', 'B'].map(async (name) => (await call('POST', '/v1/bases', { name })).body.id))
    const { body: view } = await call('POST', path, { ...failed, q: 'bicycles' })
    const query = new URLSearchParams({ ...view.filter, q: view.q, sort: view.sort })
    for (const id of bases) expect((await call('GET', `/v1/bases/${id}/sources?${query.toString()}`)).status).toBe(200)
  })

  it('belong to no knowledge base: a token that is limited to some sees them', async () => {
    const { call } = await organization()
    const { body: base } = await call('POST', '/v1/bases', { name: 'A' })
    const { body: view } = await call('POST', path, failed)
    const { token } = (await call('POST', '/v1/tokens', { name: 'T', scopes: ['sources:read'], baseIds: [base.id] })).body
    const limited = await call('GET', path, undefined, { authorization: `Bearer ${token}` })
    expect(limited.body.data).toEqual([view])
    expect((await call('DELETE', `/v1/bases/${base.id}`)).status).toBe(204)
    expect((await call('GET', path)).body.data).toEqual([view])
  })

  it('refuse what the list does not know', async () => {
    const { call } = await organization()
    for (const [field, change] of [
      ['filter.status', { filter: { status: 'lost' } }],
      ['filter.type', { filter: { type: 'book' } }],
      ['filter.color', { filter: { color: 'red' } }],
      ['filter.q', { filter: { q: 'bicycles' } }],
      ['sort', { sort: 'title' }],
      ['columns', { columns: ['title'] }],
      ['shared', { shared: false }],
    ] as const) {
      const { status, body } = await call('POST', path, { ...failed, ...change })
      expect([change, status, body.error?.field]).toEqual([change, 422, field])
    }
  })

  it('of a member who leaves are deleted, and shared ones stay without an owner, like those of other lists', async () => {
    const caller = await organization()
    const { userId, of } = await person(service, { [caller.organizationId]: 'member' })
    const call = of(caller.organizationId)
    const paths = { source_view: path, contact_view: '/v1/contact-views', proposal_list_view: '/v1/proposal-list-views' }
    const shared = new Map<string, string>()
    for (const [table, at] of Object.entries(paths)) {
      const view = { name: 'V', ...(table === 'contact_view' && { columns: ['name'] }) }
      expect((await call('POST', at, view)).body).toMatchObject({ shared: false, ownerId: `usr_${userId}` })
      shared.set(table, (await call('POST', at, { ...view, shared: true })).body.id)
    }
    expect((await caller.call('DELETE', `/v1/members/usr_${userId}`)).status).toBe(204)
    for (const [table, id] of shared) {
      const { rows } = await database.pool.query(`select id, owner_id from ${table} where organization_id = $1`, [caller.organizationId])
      expect([table, rows]).toEqual([table, [{ id: id.slice(-36), owner_id: null }]])
    }
  })

  it('that name a person are deleted when the contact is erased', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', { firstName: 'Ada', lastName: 'Lovelace', email: `${newId()}@example.com` })).body
    for (const view of [{ q: 'lovelace ada' }, { name: 'Ada Lovelace' }, { q: 'ada' }])
      expect((await call('POST', path, { ...failed, ...view })).status).toBe(201)
    const { body } = await call('POST', `/v1/contacts/${id}/erase`)
    expect(body.erased).toContainEqual({ kind: 'saved_views', count: 2 })
    expect((await call('GET', path)).body.data.map(({ q }: { q: string }) => q)).toEqual(['ada'])
  })
})
