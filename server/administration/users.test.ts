import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ownerQuery } from '../db/owner-query.ts'
import { testApp } from '../testing/app.ts'
import { browse, password, person } from '../testing/people.ts'
import { createPasswordLink, disableTwoFactor, listUsers } from './users.ts'

const service = await testApp()
const { app, organization, database } = service
const { pool } = database
const query = ownerQuery(pool)
const options = (): { baseUrl: string; now: Date } => ({ baseUrl: 'http://groundwork.test', now: new Date() })
const post = (path: string, body: object) => browse(app, { method: 'POST', path, body })

describe('users list', () => {
  it('returns users with their organizations and sessions', async () => {
    const { organizationId } = await organization()
    const { userId, email } = await person(service, { [organizationId]: 'admin' })
    expect((await listUsers(query)).find((user) => user.email === email)).toEqual({
      id: `usr_${userId}`,
      email,
      name: 'Robin Moss',
      twoFactorEnabled: false,
      createdAt: expect.stringMatching(/Z$/),
      sessions: 1,
      organizations: [{ name: `Test ${organizationId}`, role: 'admin' }],
    })
  })
})

describe('users reset-password', () => {
  it('prints a link that sets a new password once, ends the sessions, and replaces former links', async () => {
    const caller = await organization()
    const user = await person(service, { [caller.organizationId]: 'member' })
    const former = await createPasswordLink(pool, user.email, options())
    const { url } = await createPasswordLink(pool, user.email.toUpperCase(), options())
    const reset = (link: string) =>
      post('/auth/reset-password', { token: new URL(link).hash.slice(1), newPassword: 'a new and long password' })
    expect((await reset(former.url)).status).toBe(400)
    expect((await reset(url)).status).toBe(200)
    expect((await reset(url)).status).toBe(400)
    expect((await user.of(caller.organizationId)('GET', '/v1/bases')).status).toBe(401)
    const signIn = (secret: string) => post('/auth/sign-in/email', { email: user.email, password: secret })
    expect((await signIn(password)).status).toBe(401)
    expect((await signIn('a new and long password')).status).toBe(200)
    const { body } = await caller.call('GET', '/v1/audit?action=user.password_link_created')
    expect(body.data).toMatchObject([{ actor: { type: 'command_line' }, targetId: `usr_${user.userId}` }, {}])
  })

  it('names an unknown address', async () => {
    await expect(createPasswordLink(pool, 'nobody@example.com', options())).rejects.toThrow('nobody@example.com')
  })
})

describe('users disable-two-factor', () => {
  it('deletes the second factor, and says whether there was one', async () => {
    const caller = await organization()
    const { userId, email } = await person(service, { [caller.organizationId]: 'owner' })
    await query(`update identity."user" set two_factor_enabled = true where id = $1`, [userId])
    await query(`insert into identity.two_factor (id, user_id, secret, backup_codes) values ($1, $2, 'x', 'x')`, [randomUUID(), userId])
    expect((await post('/auth/sign-in/email', { email, password })).body).toMatchObject({ twoFactorRedirect: true })
    expect(await disableTwoFactor(pool, email, new Date())).toEqual({ id: `usr_${userId}`, disabled: true })
    expect((await post('/auth/sign-in/email', { email, password })).body).toMatchObject({ user: { email } })
    expect(await query('select from identity.two_factor where user_id = $1', [userId])).toEqual([])
    const { body } = await caller.call('GET', '/v1/audit?action=user.two_factor_disabled')
    expect(body.data).toMatchObject([{ actor: { type: 'command_line' } }])
    expect(await disableTwoFactor(pool, email, new Date())).toMatchObject({ disabled: false })
  })
})
