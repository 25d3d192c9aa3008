import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'

const service = await testApp()
const { organization, database } = service

const path = '/v1/proposal-list-views'
const open = { name: 'Open offers', filter: { status: 'pending', minTotal: '1000.00' }, sort: 'expiresAt' }

describe('views of proposals', () => {
  it('are created, listed, changed and deleted', async () => {
    const { call } = await organization()
    const { id: contactId } = (await call('POST', '/v1/contacts', { email: 'ada@example.com' })).body
    const filter = {
      ...open.filter,
      contactId: contactId.slice(-36).toUpperCase(),
      currency: 'EUR',
      sentAfter: '2026-05-25T20:14:00+02:00',
    }
    const { status, body: view } = await call('POST', path, { ...open, filter })
    expect([status, view]).toEqual([
      201,
      {
        ...open,
        id: expect.stringMatching(/^plv_/),
        filter: { ...filter, contactId },
        q: null,
        shared: true,
        ownerId: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect((await call('GET', path)).body).toEqual({ data: [view], nextCursor: null })
    const changed = await call('PATCH', `${path}/${view.id}`, { filter: null, q: 'bicycles' })
    expect(changed.body).toMatchObject({ name: open.name, filter: null, q: 'bicycles', sort: 'expiresAt' })
    expect((await call('GET', `${path}/${view.id}`)).body).toEqual(changed.body)
    expect((await call('DELETE', `${path}/${view.id}`)).status).toBe(204)
    expect((await call('GET', `${path}/${view.id}`)).status).toBe(404)
    const { data } = (await call('GET', `/v1/audit?targetId=${view.id}`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'proposal_list_view.deleted',
      'proposal_list_view.updated',
      'proposal_list_view.created',
    ])
  })

  it('are separate from views of contacts', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', path, open)).body
    expect((await call('GET', '/v1/contact-views')).body.data).toEqual([])
    expect((await call('GET', `/v1/contact-views/${id.slice(-36)}`)).status).toBe(404)
  })

  it('refuse what the list does not know', async () => {
    const { call } = await organization()
    for (const [field, change] of [
      ['filter.status', { filter: { status: 'lost' } }],
      ['filter.color', { filter: { color: 'red' } }],
      ['filter.q', { filter: { q: 'bicycles' } }],
      ['filter.contactId', { filter: { contactId: 'Ada' } }],
      ['filter.minTotal', { filter: { minTotal: 'much' } }],
      ['sort', { sort: 'title' }],
      ['columns', { columns: ['title'] }],
      ['shared', { shared: false }],
    ] as const) {
      const { status, body } = await call('POST', path, { ...open, ...change })
      expect([change, status, body.error?.field]).toEqual([change, 422, field])
    }
  })

  it('of a member who leaves are deleted, and shared ones stay without an owner', async () => {
    const caller = await organization()
    const { userId, of } = await person(service, { [caller.organizationId]: 'member' })
    const call = of(caller.organizationId)
    const own = (await call('POST', path, open)).body
    const shared = (await call('POST', path, { ...open, shared: true })).body
    expect(own).toMatchObject({ shared: false, ownerId: `usr_${userId}` })
    expect((await caller.call('GET', path)).body.data).toEqual([shared])
    expect((await caller.call('DELETE', `/v1/members/usr_${userId}`)).status).toBe(204)
    const { rows } = await database.pool.query('select id, owner_id from proposal_list_view where organization_id = $1', [
      caller.organizationId,
    ])
    expect(rows).toEqual([{ id: shared.id.slice(-36), owner_id: null }])
  })

  it('that name a person are deleted when the contact is erased', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', { firstName: 'Ada', lastName: 'Lovelace', email: `${newId()}@example.com` })).body
    for (const view of [{ q: 'lovelace ada' }, { name: 'Ada Lovelace' }, { q: 'ada' }])
      expect((await call('POST', path, { ...open, ...view })).status).toBe(201)
    const { body } = await call('POST', `/v1/contacts/${id}/erase`)
    expect(body.erased).toContainEqual({ kind: 'saved_views', count: 2 })
    expect((await call('GET', path)).body.data.map(({ q }: { q: string }) => q)).toEqual(['ada'])
  })
})
