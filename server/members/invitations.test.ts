import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { browse, cookieOf, password, person } from '../testing/people.ts'
import { newMember } from '../testing/fixtures.ts'

const service = await testApp()
const { app, database, organization } = service

async function invited({ call }: Pick<Caller, 'call'>, email = `${newId()}@example.com`, role = 'member') {
  const { status, body } = await call('POST', '/v1/invitations', { email, role })
  expect(status).toBe(201)
  return { email, id: body.id as string, token: await newestToken({ call }) }
}

async function newestToken({ call }: Pick<Caller, 'call'>): Promise<string> {
  const { text } = (await call('GET', '/v1/mails')).body.data[0]
  return /^http:\/\/groundwork\.test\/app\/invitation#(\S{43})$/m.exec(text)?.[1] ?? ''
}

const look = (token: string) => browse(app, { method: 'POST', path: '/v1/invitations/look', body: { token } })
const accept = (token: string, more: object = {}, headers: Record<string, string> = {}) =>
  browse(app, { method: 'POST', path: '/v1/invitations/accept', body: { token, ...more }, headers })
const newUser = { name: 'Kim Reed', password }

describe('an invitation', () => {
  it('creates a signed-in member once', async () => {
    const own = await organization()
    const { email, token, id } = await invited(own, `${newId()}@EXAMPLE.com`)
    expect((await look(token)).body).toEqual({
      organizationName: `Test ${own.organizationId}`,
      email: email.toLowerCase(),
      role: 'member',
      userExists: false,
    })
    expect(await accept(token, { password })).toMatchObject({ status: 422, body: { error: { field: 'name' } } })
    expect(await accept(token, { name: 'x' })).toMatchObject({ status: 422, body: { error: { field: 'password' } } })
    const ofBrowser = { 'user-agent': 'Firefox of a test' }
    const both = await Promise.all([accept(token, newUser, ofBrowser), accept(token, newUser, ofBrowser)])
    expect(both.map(({ status }) => status === 200)).toContain(true)
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    const created = both.find(({ status }) => status === 200)
    const cookie = cookieOf(created?.headers['set-cookie'])
    const sessions = await browse(app, { method: 'GET', path: '/auth/list-sessions', headers: { cookie } })
    expect(sessions.body).toMatchObject([{ userAgent: 'Firefox of a test' }])
    const me = await browse(app, { method: 'GET', path: '/v1/me', headers: { cookie } })
    expect(me.body).toMatchObject({ user: { name: 'Kim Reed' }, organizations: [{ id: `org_${own.organizationId}`, role: 'member' }] })
    for (const answer of [await look(token), await accept(token, newUser)]) expect(answer.status).toBe(404)
    expect((await own.call('GET', '/v1/invitations')).body.data).toEqual([])
    const { body } = await own.call('GET', '/v1/audit?action=invitation.accepted')
    expect(body.data).toMatchObject([{ targetId: id, actor: { type: 'user', name: 'Kim Reed' } }])
  })

  it('of an existing user requires their session', async () => {
    const own = await organization()
    const [someone, other] = [await person(service), await person(service)]
    const { token } = await invited(own, someone.email, 'admin')
    expect((await look(token)).body.userExists).toBe(true)
    expect((await accept(token, newUser)).status).toBe(401)
    expect((await accept(token, {}, { cookie: other.cookie })).status).toBe(403)
    expect((await accept(token, {}, { cookie: someone.cookie, origin: 'https://elsewhere.example' })).status).toBe(401)
    const answer = await accept(token, {}, { cookie: someone.cookie })
    expect(answer).toMatchObject({ status: 200, body: { organizations: [{ id: `org_${own.organizationId}`, role: 'admin' }] } })
    expect((await someone.of(own.organizationId)('GET', '/v1/contacts')).status).toBe(200)
  })

  it('ends when it is deleted, resent or expired', async () => {
    const own = await organization()
    const first = await invited(own)
    await own.call('DELETE', `/v1/invitations/${first.id}`)
    expect((await look(first.token)).status).toBe(404)
    const second = await invited(own)
    expect((await own.call('POST', `/v1/invitations/${second.id}/resend`)).status).toBe(200)
    const again = await newestToken(own)
    expect([(await look(second.token)).status, (await look(again)).status]).toEqual([404, 200])
    await database.pool.query(`update invitation set expires_at = now() - interval '1 second' where id = $1`, [second.id.slice(-36)])
    expect([(await look(again)).status, (await accept(again, newUser)).status]).toEqual([404, 404])
    // An expired invitation does not block a new one.
    await invited(own, second.email)
  })

  it('is refused for members and for addresses with an open invitation', async () => {
    const own = await organization()
    const member = await newMember(own.ctx)
    for (const email of [`${member.slice(4)}@example.com`, (await invited(own)).email])
      expect(await own.call('POST', '/v1/invitations', { email, role: 'viewer' })).toMatchObject({
        status: 409,
        body: { error: { field: 'email' } },
      })
  })

  it('grants no more than the inviter can grant', async () => {
    const own = await organization()
    const as = async (role: 'owner' | 'admin' | 'member') => (await person(service, { [own.organizationId]: role })).of(own.organizationId)
    const [owner, admin, member] = [await as('owner'), await as('admin'), await as('member')]
    const invite = async (call: Caller['call'], role: string) =>
      (await call('POST', '/v1/invitations', { email: `${newId()}@example.com`, role })).status
    expect([
      await invite(owner, 'owner'),
      await invite(admin, 'owner'),
      await invite(admin, 'admin'),
      await invite(member, 'viewer'),
    ]).toEqual([201, 403, 201, 403])
    const few = await organization({ scopes: ['members:write', 'contacts:read'] })
    expect([await invite(few.call, 'viewer'), await invite(own.call, 'owner'), await invite(own.call, 'admin')]).toEqual([403, 403, 201])
  })

  it('can be resent and deleted only by actors who can grant its role', async () => {
    const own = await organization()
    const as = async (role: 'owner' | 'admin') => (await person(service, { [own.organizationId]: role })).of(own.organizationId)
    const [owner, admin] = [await as('owner'), await as('admin')]
    const { body } = await owner('POST', '/v1/invitations', { email: `${newId()}@example.com`, role: 'owner' })
    const change = async (call: Caller['call']) => [
      (await call('POST', `/v1/invitations/${body.id}/resend`)).status,
      (await call('DELETE', `/v1/invitations/${body.id}`)).status,
    ]
    expect(await change(admin)).toEqual([403, 403])
    expect(await change(own.call)).toEqual([403, 403])
    expect(await change(owner)).toEqual([200, 204])
  })

  it('is readable among the emails only with the permission to invite', async () => {
    const own = await organization()
    await invited(own)
    const { of } = await person(service, { [own.organizationId]: 'viewer' })
    expect((await of(own.organizationId)('GET', '/v1/mails')).status).toBe(403)
    expect((await of(own.organizationId)('GET', '/v1/invitations')).status).toBe(200)
  })
})
