import { describe, expect, it } from 'vitest'
import { ensureOrganization } from '../organizations/organizations.ts'
import { testApp, type TestApp } from '../testing/app.ts'
import { browse, cookieOf } from '../testing/people.ts'
import { createSetupToken } from './setup.ts'

const wanted = { name: 'Robin Moss', email: 'Robin@Example.com', password: 'a long pass phrase', organizationName: 'Example Ltd' }

const setUp = ({ app }: TestApp, token: string | null, more: object = {}) =>
  browse(app, { method: 'POST', path: '/v1/setup', body: { ...wanted, token, ...more } })

const needed = async ({ app }: TestApp) => (await browse(app, { method: 'GET', path: '/v1/setup' })).body

describe('the first user', () => {
  it('is created once with the newest token and signed in as an owner', async () => {
    const service = await testApp()
    const { database, app } = service
    expect(await needed(service)).toEqual({ needed: true, oidcHost: null })
    const [older, token] = [await createSetupToken(database.pool, new Date()), await createSetupToken(database.pool, new Date())]
    for (const wrong of ['nonsense', older]) {
      expect(await setUp(service, wrong)).toMatchObject({ status: 404, body: { error: { code: 'not_found', field: 'token' } } })
    }
    const both = await Promise.all([setUp(service, token), setUp(service, token)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const made = both.find(({ status }) => status === 201)
    expect(made?.body).toMatchObject({
      user: { name: 'Robin Moss', email: 'robin@example.com' },
      organizations: [{ name: 'Example Ltd', slug: 'example-ltd', role: 'owner' }],
    })
    const cookie = cookieOf(made?.headers['set-cookie'])
    expect((await browse(app, { method: 'GET', path: '/v1/me', headers: { cookie } })).body).toEqual(made?.body)
    expect(await needed(service)).toEqual({ needed: false, oidcHost: null })
    expect((await setUp(service, token)).status).toBe(409)
    expect(await createSetupToken(database.pool, new Date())).toBeNull()
    const headers = { cookie, 'groundwork-organization': made?.body.organizations[0].id }
    const { body } = await browse(app, { method: 'GET', path: '/v1/audit', headers })
    expect(body.data.map((entry: { action: string }) => entry.action)).toEqual(['member.added', 'organization.created'])
    for (const { actor } of body.data) expect(actor).toEqual({ type: 'user', id: made?.body.user.id, name: 'Robin Moss' })
  })

  const region = { country: 'CH', defaultCurrency: 'CHF', timeZone: 'Europe/Zurich' }
  const organizationOf = async ({ app }: TestApp, made: Awaited<ReturnType<typeof setUp>>) => {
    const headers = { cookie: cookieOf(made.headers['set-cookie']), 'groundwork-organization': made.body.organizations[0].id }
    return (await browse(app, { method: 'GET', path: '/v1/organization', headers })).body
  }

  it('begins the session of the browser', async () => {
    const { app, database } = await testApp()
    const body = { ...wanted, token: await createSetupToken(database.pool, new Date()) }
    const made = await browse(app, { method: 'POST', path: '/v1/setup', body, headers: { 'user-agent': 'Firefox of a test' } })
    const headers = { cookie: cookieOf(made.headers['set-cookie']) }
    const sessions = await browse(app, { method: 'GET', path: '/auth/list-sessions', headers })
    expect(sessions.body).toMatchObject([{ userAgent: 'Firefox of a test' }])
  })

  it('says where the organization works', async () => {
    const service = await testApp()
    const made = await setUp(service, await createSetupToken(service.database.pool, new Date()), region)
    expect(await organizationOf(service, made)).toMatchObject(region)
  })

  it('takes over the organization created with the command line', async () => {
    const service = await testApp()
    const { id } = await ensureOrganization(service.database.pool, 'Example Ltd', new Date())
    const made = await setUp(service, await createSetupToken(service.database.pool, new Date()), region)
    expect([made.status, made.body.organizations]).toMatchObject([201, [{ id: `org_${id}`, slug: 'example-ltd', role: 'owner' }]])
    expect(await organizationOf(service, made)).toMatchObject(region)
  })

  it('is not created with a weak password, and the token stays valid', async () => {
    const service = await testApp()
    const token = await createSetupToken(service.database.pool, new Date())
    expect(await setUp(service, token, { password: 'short' })).toMatchObject({ status: 422, body: { error: { field: 'password' } } })
    expect((await setUp(service, token)).status).toBe(201)
  })

  it('is protected by a throttle that never refuses the valid token', async () => {
    const at = new Date()
    const service = await testApp({ now: () => at })
    const token = await createSetupToken(service.database.pool, at)
    let last = 0
    for (let attempt = 0; attempt < 61; attempt += 1) last = (await setUp(service, `guess ${attempt}`)).status
    expect(last).toBe(429)
    expect((await setUp(service, token)).status).toBe(201)
  })
})
