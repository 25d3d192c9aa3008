import type { Role } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'
import { newMember } from '../testing/fixtures.ts'

const service = await testApp()
const { organization } = service

/** Creates a member with this role, and a way to change another member with that role. */
async function between(role: Role, other: Role) {
  const { organizationId, ctx } = await organization()
  const { of, userId } = await person(service, { [organizationId]: role })
  return { call: of(organizationId), userId: `usr_${userId}`, other: await newMember(ctx, other) }
}

describe('members', () => {
  it('are listed with their public data', async () => {
    const own = await organization()
    const { userId, email } = await person(service, { [own.organizationId]: 'admin' })
    await organization().then(({ ctx }) => newMember(ctx))
    expect((await own.call('GET', '/v1/members')).body).toEqual({
      data: [{ id: `usr_${userId}`, name: 'Robin Moss', email, role: 'admin', twoFactorEnabled: false, joinedAt: expect.any(String) }],
      nextCursor: null,
    })
  })

  it('are paginated', async () => {
    const { call, ctx } = await organization()
    const there = [await newMember(ctx), await newMember(ctx), await newMember(ctx)]
    const first = (await call('GET', '/v1/members?limit=2')).body
    const second = (await call('GET', `/v1/members?limit=2&cursor=${first.nextCursor}`)).body
    const all = (await call('GET', '/v1/members')).body.data
    expect([...first.data, ...second.data]).toEqual(all)
    expect(all.map(({ id }: { id: string }) => id).toSorted()).toEqual(there.toSorted())
    const joined: string[] = all.map(({ joinedAt }: { joinedAt: string }) => joinedAt)
    expect(joined).toEqual(joined.toSorted().toReversed())
  })

  it.each<[Role, Role, Role, number]>([
    ['owner', 'member', 'owner', 200],
    ['owner', 'owner', 'viewer', 200],
    ['admin', 'viewer', 'admin', 200],
    ['admin', 'admin', 'viewer', 200],
    ['admin', 'owner', 'viewer', 403],
    ['admin', 'viewer', 'owner', 403],
    ['member', 'viewer', 'member', 403],
  ])('by %s: a %s becomes %s: %i', async (by, from, to, status) => {
    const { call, other } = await between(by, from)
    const answer = await call('PATCH', `/v1/members/${other}`, { role: to })
    expect(answer.status).toBe(status)
    const { role } = (await call('GET', '/v1/members')).body.data.find(({ id }: { id: string }) => id === other)
    expect(role).toBe(status === 200 ? to : from)
  })

  it.each<[Role, Role, number]>([
    ['owner', 'owner', 204],
    ['admin', 'member', 204],
    ['admin', 'owner', 403],
    ['viewer', 'viewer', 403],
  ])('by %s: a %s is removed: %i', async (by, of, status) => {
    const { call, other } = await between(by, of)
    expect((await call('DELETE', `/v1/members/${other}`)).status).toBe(status)
  })

  it('can leave, and lose access immediately', async () => {
    const { call, userId } = await between('viewer', 'owner')
    expect((await call('DELETE', `/v1/members/${userId}`)).status).toBe(204)
    expect((await call('GET', '/v1/contacts')).status).toBe(404)
  })

  it('lose permissions immediately when demoted', async () => {
    const own = await organization()
    const { of, userId } = await person(service, { [own.organizationId]: 'member' })
    const call = of(own.organizationId)
    expect((await call('POST', '/v1/contacts', { email: 'a@example.com' })).status).toBe(201)
    await own.call('PATCH', `/v1/members/usr_${userId}`, { role: 'viewer' })
    expect((await call('POST', '/v1/contacts', { email: 'a@example.com' })).status).toBe(403)
  })

  it('always include an owner, even if two owners leave concurrently', async () => {
    const { call, userId, other } = await between('owner', 'owner')
    const both = await Promise.all([
      call('PATCH', `/v1/members/${other}`, { role: 'viewer' }),
      call('PATCH', `/v1/members/${userId}`, { role: 'viewer' }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const lone = await between('owner', 'admin')
    expect(await lone.call('DELETE', `/v1/members/${lone.userId}`)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  })
})
