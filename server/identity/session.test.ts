import { scopesOfRole, wireId, type Role } from '@groundwork/api'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { join } from 'node:path'
import { URI, type TOTP } from 'otpauth'
import { describe, expect, inject, it, vi } from 'vitest'
import { addMember } from '../members/add.ts'
import { testApp } from '../testing/app.ts'
import { browse, cookieOf, password, person } from '../testing/people.ts'

const service = await testApp()
const { app, organization } = service
let address = 0

/** Sends a request below /auth with the Origin of this service, each from a new client address, since attempts are limited by address. */
function auth(method: 'GET' | 'POST', path: string, body?: object, headers: Record<string, string> = {}) {
  address += 1
  return app.inject({
    method,
    url: `/auth${path}`,
    remoteAddress: `203.0.113.${address}`,
    headers: { origin: 'http://groundwork.test', ...headers },
    ...(body !== undefined && { payload: body }),
  })
}

const me = (cookie: string) => browse(app, { method: 'GET', path: '/v1/me', headers: { cookie } })

describe('sign-in', () => {
  it('sets an HttpOnly, SameSite cookie, and the session identifies the user', async () => {
    const { organizationId } = await organization()
    const { email, userId } = await person(service, { [organizationId]: 'admin' })
    const answer = await auth('POST', '/sign-in/email', { email: email.toUpperCase(), password })
    expect(answer.statusCode).toBe(200)
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^groundwork\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(await me(cookieOf(answer.headers['set-cookie']))).toMatchObject({
      status: 200,
      body: {
        user: { id: wireId('usr', userId), name: 'Robin Moss', email, emailVerified: true, twoFactorEnabled: false },
        organizations: [{ id: wireId('org', organizationId), role: 'admin', scopes: scopesOfRole.admin }],
      },
    })
  })

  it('reads the newest event of each organization of the user, and of no other', async () => {
    const [first, second, foreign] = [await organization(), await organization(), await organization()]
    const { cookie } = await person(service, { [first.organizationId]: 'viewer', [second.organizationId]: 'owner' })
    const lastEvents = async (): Promise<Map<string, string | null>> => {
      const { body } = await me(cookie)
      return new Map(
        body.organizations.map(({ id, lastEventId }: { id: string; lastEventId: string | null }) => [id.slice(-36), lastEventId]),
      )
    }
    const none = [null, null]
    expect([...(await lastEvents()).values()]).toEqual(none)
    await foreign.call('POST', '/v1/contacts', { firstName: 'Foreign', lastName: 'One' })
    for (const name of ['Older', 'Newer']) await first.call('POST', '/v1/contacts', { firstName: name, lastName: 'One' })
    const { body } = await first.call('GET', '/v1/events?limit=1')
    expect(body.data).toMatchObject([{ type: 'contact.created', data: { firstName: 'Newer' } }])
    expect(await lastEvents()).toEqual(
      new Map([
        [first.organizationId, body.data[0].id],
        [second.organizationId, null],
      ]),
    )
    const read = (organizationId: string) =>
      service.platform.db.transaction(first.organizationId, (trx) =>
        sql<{ id: string | null }>`select newest_event(${organizationId}::uuid) as id`.execute(trx),
      )
    // Without a session, the function returns nothing.
    expect((await read(foreign.organizationId)).rows).toEqual([{ id: null }])
  })

  it('gives the same error for a wrong password and an unknown address', async () => {
    const { email } = await person(service)
    const [wrong, nobody] = [
      await auth('POST', '/sign-in/email', { email, password: 'wrong horse battery' }),
      await auth('POST', '/sign-in/email', { email: 'nobody@example.com', password }),
    ]
    expect([wrong.statusCode, wrong.headers['set-cookie']]).toEqual([401, undefined])
    expect([nobody.statusCode, nobody.json().error]).toEqual([401, { ...wrong.json().error, requestId: expect.any(String) }])
  })

  it('is limited by client address', async () => {
    const { email } = await person(service)
    const attempt = async (): Promise<number> => {
      const { statusCode } = await app.inject({
        method: 'POST',
        url: '/auth/sign-in/email',
        remoteAddress: '198.51.100.9',
        headers: { origin: 'http://groundwork.test' },
        payload: { email, password: 'wrong horse battery' },
      })
      return statusCode
    }
    const atOnce = await Promise.all(Array.from({ length: 24 }, attempt))
    expect(atOnce.filter((status) => status === 401)).toHaveLength(10)
    expect(atOnce.filter((status) => status === 429)).toHaveLength(14)
    expect(await attempt()).toBe(429)
  })

  it('creates no user', async () => {
    const answer = await auth('POST', '/sign-up/email', { email: 'new@example.com', password, name: 'N' })
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'not_found'])
  })
})

describe('a session', () => {
  const ends: [string, (by: { email: string; cookie: string }) => Promise<unknown>][] = [
    ['signing out', async ({ cookie }) => auth('POST', '/sign-out', {}, { cookie })],
    ['revoking all', async ({ cookie }) => auth('POST', '/revoke-sessions', {}, { cookie })],
    [
      'revoking it from another one',
      async ({ email, cookie }) => {
        const other = cookieOf((await auth('POST', '/sign-in/email', { email, password })).headers['set-cookie'])
        const sessions: { token: string }[] = (await auth('GET', '/list-sessions', undefined, { cookie: other })).json()
        const token = sessions.find((each) => cookie.includes(each.token))?.token
        return auth('POST', '/revoke-session', { token }, { cookie: other })
      },
    ],
    [
      'changing the password in another one, whatever was asked for',
      async ({ email }) => {
        const other = cookieOf((await auth('POST', '/sign-in/email', { email, password })).headers['set-cookie'])
        const changed = { currentPassword: password, newPassword: 'another long pass phrase', revokeOtherSessions: false }
        expect((await auth('POST', '/change-password', changed, { cookie: other })).statusCode).toBe(200)
      },
    ],
  ]

  it.each(ends)('ends immediately by %s', async (_how, end) => {
    const { organizationId } = await organization()
    const someone = await person(service, { [organizationId]: 'owner' })
    const call = someone.of(organizationId)
    expect((await call('GET', '/v1/contacts')).status).toBe(200)
    await end(someone)
    expect(await call('GET', '/v1/contacts')).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
    expect((await me(someone.cookie)).status).toBe(401)
  })

  it('is rejected without a valid signature of its token', async () => {
    const { cookie } = await person(service)
    const [name = '', value = ''] = cookie.split('=')
    const [token = '', signature = ''] = decodeURIComponent(value).split('.')
    const other = decodeURIComponent((await person(service)).cookie.split('=')[1] ?? '').split('.')[1] ?? ''
    expect((await me(cookie)).status).toBe(200)
    for (const forged of [token, `${token}.`, `${token}.${other}`, `${token}.${'A'.repeat(43)}=`, `${token.slice(1)}x.${signature}`])
      expect((await me(`${name}=${encodeURIComponent(forged)}`)).status).toBe(401)
  })

  it('is extended by use, once a day', async () => {
    const { cookie, userId } = await person(service)
    expect((await me(cookie)).headers['set-cookie']).toBeUndefined()
    await service.database.pool.query(`update identity.session set expires_at = now() + interval '28 days' where user_id = $1`, [userId])
    expect((await me(cookie)).headers['set-cookie']).toContain('Max-Age=2592000')
    const { rows } = await service.database.pool.query('select expires_at from identity.session where user_id = $1', [userId])
    expect(rows[0].expires_at.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  })

  it('expires', async () => {
    const { cookie, userId } = await person(service)
    await service.database.pool.query(`update identity.session set expires_at = now() - interval '1 second' where user_id = $1`, [userId])
    expect((await me(cookie)).status).toBe(401)
  })
})

describe('a signed-in member', () => {
  it('acts only for the organization named in the request', async () => {
    const [own, other] = [await organization(), await organization()]
    const { call, of } = await person(service, { [own.organizationId]: 'owner' })
    expect((await of(own.organizationId)('POST', '/v1/contacts', { email: 'a@example.com' })).status).toBe(201)
    expect((await own.call('GET', '/v1/contacts')).body).toHaveLength(1)
    expect((await other.call('GET', '/v1/contacts')).body).toHaveLength(0)
    for (const id of [other.organizationId, '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'])
      expect(await of(id)('GET', '/v1/contacts')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    expect((await call('GET', '/v1/contacts', undefined, { 'groundwork-organization': 'nonsense' })).status).toBe(404)
    expect(await call('GET', '/v1/contacts')).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', field: 'Groundwork-Organization' } },
    })
  })

  it('cannot change data from a page of another site', async () => {
    const { organizationId } = await organization()
    const { of, cookie } = await person(service, { [organizationId]: 'owner' })
    for (const origin of ['https://elsewhere.example', 'http://groundwork.test.elsewhere.example', 'null', 'http://localhost:1'])
      expect((await of(organizationId)('POST', '/v1/contacts', { email: 'a@example.com' }, { origin })).status).toBe(403)
    const headers = { cookie, 'groundwork-organization': organizationId }
    const without = await app.inject({ method: 'POST', url: '/v1/contacts', headers, payload: { email: 'a@example.com' } })
    expect(without.statusCode).toBe(403)
    const loopback = { ...headers, host: 'localhost:4000', origin: 'http://localhost:4000' }
    expect(
      (await app.inject({ method: 'POST', url: '/v1/contacts', headers: loopback, payload: { email: 'a@example.com' } })).statusCode,
    ).toBe(201)
    // DNS rebinding: another host name can resolve to this address.
    const rebound = { ...headers, host: 'elsewhere.example:4000', origin: 'http://elsewhere.example:4000' }
    expect((await app.inject({ method: 'POST', url: '/v1/contacts', headers: rebound, payload: {} })).statusCode).toBe(403)
    expect((await of(organizationId)('GET', '/v1/contacts')).body).toHaveLength(1)
  })

  it('signs in and out only from pages of this service', async () => {
    const { email } = await person(service)
    const answer = await auth('POST', '/sign-in/email', { email, password }, { origin: 'https://elsewhere.example' })
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined])
  })

  it.each<[Role, number, number, number]>([
    ['owner', 200, 201, 200],
    ['admin', 200, 201, 200],
    ['member', 200, 201, 403],
    ['viewer', 200, 403, 403],
  ])('as %s gets %i for reading, %i for writing and %i for listing tokens', async (role, read, write, tokens) => {
    const { organizationId } = await organization()
    const { of } = await person(service, { [organizationId]: role })
    const call = of(organizationId)
    expect((await call('GET', '/v1/contacts')).status).toBe(read)
    expect((await call('POST', '/v1/contacts', { email: 'a@example.com' })).status).toBe(write)
    expect((await call('GET', '/v1/tokens')).status).toBe(tokens)
  })

  it('is named in the audit log', async () => {
    const own = await organization()
    const { of, userId } = await person(service, { [own.organizationId]: 'member' })
    const { body: contact } = await of(own.organizationId)('POST', '/v1/contacts', { email: 'a@example.com' })
    const { body } = await own.call('GET', `/v1/audit?actorId=usr_${userId}`)
    expect(body.data).toMatchObject([{ targetId: contact.id, actor: { type: 'user', id: `usr_${userId}`, name: 'Robin Moss' } }])
  })

  it('creates tokens within the role, and only while being a member', async () => {
    const { organizationId } = await organization()
    const { of, userId } = await person(service, { [organizationId]: 'admin' })
    const made = await of(organizationId)('POST', '/v1/tokens', { name: 'x', scopes: ['contacts:read'] })
    expect(made).toMatchObject({ status: 201, body: { createdBy: `usr_${userId}` } })
    await service.database.pool.query('delete from membership where user_id = $1', [userId])
    // The cached session still shows the membership, but token creation reads it again.
    expect((await of(organizationId)('POST', '/v1/tokens', { name: 'x', scopes: ['contacts:read'] })).status).toBe(401)
  })

  it('can create uploads', async () => {
    const own = await organization()
    const { of, userId } = await person(service, { [own.organizationId]: 'member' })
    const { body: upload } = await of(own.organizationId)('POST', '/v1/uploads', { fileName: 'a.txt', sizeBytes: 5 })
    const put = await app.inject({ method: 'PUT', url: new URL(upload.uploadUrl).pathname, headers: upload.headers, payload: 'hello' })
    expect(put.statusCode).toBe(204)
    const { body } = await own.call('GET', '/v1/audit?action=upload.received')
    expect(body.data[0].actor).toEqual({ type: 'user', id: `usr_${userId}`, name: 'Robin Moss' })
  })
})

describe('creating an organization', () => {
  it('makes the signed-in user its owner and assigns a unique slug', async () => {
    const { call, of } = await person(service)
    const made = await call('POST', '/v1/organizations', { name: 'Müller & Söhne' })
    expect(made).toMatchObject({ status: 201, body: { name: 'Müller & Söhne', slug: 'muller-sohne', role: 'owner' } })
    expect((await call('POST', '/v1/organizations', { name: 'Müller, Söhne' })).body.slug).toBe('muller-sohne-2')
    expect((await call('POST', '/v1/organizations', { name: 'Setup' })).body.slug).toBe('setup-2')
    expect((await call('POST', '/v1/organizations', { name: '株式会社' })).body.slug).toBe('organization')
    expect((await call('GET', '/v1/me')).body.organizations).toHaveLength(4)
    const inside = of(made.body.id.slice(-36))
    expect((await inside('GET', '/v1/organization')).body).toMatchObject({ slug: 'muller-sohne', defaultCurrency: 'USD' })
    expect((await inside('GET', '/v1/audit')).body.data).toMatchObject([{ action: 'organization.created', actor: { type: 'user' } }])
  })

  it('requires a session', async () => {
    const { call } = await organization()
    expect((await call('POST', '/v1/organizations', { name: 'x' })).status).toBe(401)
  })
})

describe('the organization of the request', () => {
  it('can be renamed and get another unused slug', async () => {
    const [own, other] = [await organization(), await organization()]
    const { slug } = (await other.call('GET', '/v1/organization')).body
    const wanted = { name: 'New', slug: `new-${own.organizationId}`, defaultCurrency: 'eur' }
    expect((await own.call('PATCH', '/v1/organization', wanted)).body).toMatchObject({ ...wanted, defaultCurrency: 'EUR' })
    expect(await own.call('PATCH', '/v1/organization', { slug })).toMatchObject({ status: 409, body: { error: { field: 'slug' } } })
    for (const refused of ['sign-in', 'Upper', '-a', 'a--b', '']) {
      expect((await own.call('PATCH', '/v1/organization', { slug: refused })).status).toBe(422)
    }
  })

  it('has a profile for proposals', async () => {
    const { call } = await organization()
    const fresh = { legalName: null, address: null, taxId: null, country: null, color: null, language: 'en', timeZone: 'UTC' }
    expect((await call('GET', '/v1/organization')).body).toMatchObject(fresh)
    const profile = {
      legalName: 'Example Ltd & Co',
      address: '1 High Street\nLondon',
      taxId: 'GB999999973',
      country: 'gb',
      color: '#1F5F8B',
      language: 'de',
      timeZone: 'Europe/Berlin',
    }
    const saved = { ...profile, country: 'GB', color: '#1f5f8b' }
    expect(await call('PATCH', '/v1/organization', profile)).toMatchObject({ status: 200, body: saved })
    expect((await call('PATCH', '/v1/organization', { taxId: null })).body).toMatchObject({ ...saved, taxId: null })
    expect((await call('PATCH', '/v1/organization', {})).body).toMatchObject({ ...saved, taxId: null })
    expect((await call('GET', '/v1/organization')).body).toMatchObject({ ...saved, taxId: null })
  })

  it.each([
    ['color', 'red'],
    ['color', '#ff0'],
    ['country', 'QQ'],
    ['language', 'it'],
    ['timeZone', 'Berlin'],
    ['timeZone', null],
    ['address', 'x'.repeat(501)],
  ])('refuses %s %s', async (field, value) => {
    const { call } = await organization()
    expect(await call('PATCH', '/v1/organization', { [field]: value })).toMatchObject({ status: 422, body: { error: { field } } })
  })

  // The embedded engine has one session, so transactions never wait for each other's locks.
  it.skipIf(inject('serverUrl') === '')('can get another slug while records are being created in it', async () => {
    const { ctx, call, organizationId } = await organization()
    const { userId } = await person(service)
    const slug = `moved-${organizationId}`
    const moved = await ctx.db.transaction(organizationId, async (trx) => {
      await addMember(ctx, trx, { userId, role: 'viewer' })
      return call('PATCH', '/v1/organization', { slug })
    })
    expect(moved).toMatchObject({ status: 200, body: { slug } })
  })
})

describe('a forgotten password', () => {
  /** Runs the job as the worker does. */
  const sendReset = async (userId: string): Promise<void> => {
    const statement = `select v.id from identity.verification v join pgboss.job j on j.data ->> 'resetId' = v.id::text where v.value = $1`
    const id = await vi.waitFor(async () => (await service.database.pool.query(statement, [userId])).rows[0].id as string, {
      timeout: 120_000,
    })
    await service.platform.identity.sendReset(id)
  }

  const mailTo = async (email: string): Promise<string> => {
    const folder = service.mailFolder
    for (const name of (await readdir(folder)).toSorted().toReversed()) {
      const text = await readFile(join(folder, name), 'utf8')
      if (text.includes(`To: ${email}`)) return text
    }
    throw new Error(`there is no message to ${email}`)
  }

  it('is reset once by the link in the email, which ends every session', async () => {
    const own = await organization()
    const { email, cookie, userId } = await person(service, { [own.organizationId]: 'member' })
    expect((await auth('POST', '/request-password-reset', { email })).statusCode).toBe(200)
    await sendReset(userId)
    const token = /\/app\/reset-password#(\S+)/.exec(await mailTo(email))?.[1]
    const wanted = { token, newPassword: 'another long pass phrase' }
    expect((await auth('POST', '/reset-password', { ...wanted, newPassword: 'short' })).statusCode).toBe(422)
    expect((await auth('POST', '/reset-password', wanted)).statusCode).toBe(200)
    expect((await me(cookie)).status).toBe(401)
    expect((await auth('POST', '/reset-password', wanted)).statusCode).toBe(400)
    expect((await auth('POST', '/sign-in/email', { email, password })).statusCode).toBe(401)
    expect((await auth('POST', '/sign-in/email', { email, password: wanted.newPassword })).statusCode).toBe(200)
    const { body } = await own.call('GET', `/v1/audit?actorId=usr_${userId}`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'user.signed_in',
      'user.sign_in_failed',
      'user.password_reset',
    ])
  })

  it.each(['a newer link', 'the old password'])('cannot be reset by an older link after a change by %s', async (how) => {
    const { email, cookie, userId } = await person(service)
    const other = await person(service)
    for (const each of [email, email, other.email]) await auth('POST', '/request-password-reset', { email: each })
    const tokensOf = async (id: string): Promise<string[]> => {
      const sent = `select identifier from identity.verification where value = $1 order by created_at`
      return (await service.database.pool.query(sent, [id])).rows.map(({ identifier }) => identifier.slice('reset-password:'.length))
    }
    const [older, newer] = await tokensOf(userId)
    const newPassword = 'another long pass phrase'
    const changed =
      how === 'a newer link'
        ? await auth('POST', '/reset-password', { token: newer, newPassword })
        : await auth('POST', '/change-password', { currentPassword: password, newPassword }, { cookie })
    expect(changed.statusCode).toBe(200)
    expect((await auth('POST', '/reset-password', { token: older, newPassword: 'a third long pass phrase' })).statusCode).toBe(400)
    expect((await auth('POST', '/sign-in/email', { email, password: newPassword })).statusCode).toBe(200)
    expect(await tokensOf(userId)).toEqual([])
    expect(await tokensOf(other.userId)).toHaveLength(1)
  })

  it('of an unknown address gets the same response', async () => {
    const { email } = await person(service)
    const [known, unknown] = [
      await auth('POST', '/request-password-reset', { email }),
      await auth('POST', '/request-password-reset', { email: 'nobody@example.com' }),
    ]
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
  })
})

describe('a second factor', () => {
  /** Each code is accepted once. The one of the next 30 seconds is already valid. */
  const codeOf = (uri: string, timestamp = Date.now()): string => (URI.parse(uri) as TOTP).generate({ timestamp })
  const nextCodeOf = (uri: string): string => codeOf(uri, Date.now() + 30_000)

  it('is required once enabled, and a backup code replaces it once', async () => {
    const own = await organization()
    const { email, cookie, userId } = await person(service, { [own.organizationId]: 'owner' })
    expect((await auth('POST', '/two-factor/enable', { password: 'wrong horse battery' }, { cookie })).statusCode).toBe(400)
    const begun = (await auth('POST', '/two-factor/enable', { password }, { cookie })).json()
    expect((await me(cookie)).body.user.twoFactorEnabled).toBe(false)
    const enabled = await auth('POST', '/two-factor/verify-totp', { code: codeOf(begun.totpURI) }, { cookie })
    expect(enabled.statusCode).toBe(200)
    expect((await me(cookieOf(enabled.headers['set-cookie']))).body.user.twoFactorEnabled).toBe(true)
    expect((await own.call('GET', '/v1/members')).body.data[0].twoFactorEnabled).toBe(true)

    const half = await auth('POST', '/sign-in/email', { email, password })
    expect(half.json()).toMatchObject({ twoFactorRedirect: true })
    const pending = cookieOf(half.headers['set-cookie'])
    expect((await me(pending)).status).toBe(401)
    expect((await auth('POST', '/two-factor/verify-totp', { code: '000000' }, { cookie: pending })).statusCode).toBe(401)
    const whole = await auth('POST', '/two-factor/verify-totp', { code: nextCodeOf(begun.totpURI) }, { cookie: pending })
    expect((await me(cookieOf(whole.headers['set-cookie']))).status).toBe(200)

    const [code] = begun.backupCodes
    for (const status of [200, 401]) {
      const again = cookieOf((await auth('POST', '/sign-in/email', { email, password })).headers['set-cookie'])
      expect((await auth('POST', '/two-factor/verify-backup-code', { code }, { cookie: again })).statusCode).toBe(status)
    }

    const session = cookieOf(whole.headers['set-cookie'])
    expect((await auth('POST', '/two-factor/disable', { password }, { cookie: session })).statusCode).toBe(200)
    const { body } = await own.call('GET', `/v1/audit?actorId=usr_${userId}`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'user.two_factor_disabled',
      'user.signed_in',
      'user.signed_in',
      'user.two_factor_enabled',
    ])
  })

  it('accepts each code once, and none from before it', async () => {
    const { email, cookie } = await person(service)
    const { totpURI } = (await auth('POST', '/two-factor/enable', { password }, { cookie })).json()
    const [code, next] = [codeOf(totpURI), nextCodeOf(totpURI)]
    expect((await auth('POST', '/two-factor/verify-totp', { code }, { cookie })).statusCode).toBe(200)
    const begin = async () => cookieOf((await auth('POST', '/sign-in/email', { email, password })).headers['set-cookie'])
    const enter = async (typed: string, pending: string) =>
      (await auth('POST', '/two-factor/verify-totp', { code: typed }, { cookie: pending })).statusCode
    const pending = await Promise.all([begin(), begin(), begin(), begin()])
    expect(await enter(code, pending[0])).toBe(401)
    // The refused sign-in goes on with the next code. Of concurrent ones with the same code, one succeeds.
    expect((await Promise.all(pending.map((each) => enter(next, each)))).toSorted()).toEqual([200, 401, 401, 401])
    for (const used of [code, next]) expect(await enter(used, await begin())).toBe(401)
  })
})

describe('the audit log of an account', () => {
  it('has its events in each organization of the user, failures once a minute', async () => {
    const [one, two, other] = [await organization(), await organization(), await organization()]
    const { email, userId } = await person(service, { [one.organizationId]: 'owner', [two.organizationId]: 'viewer' })
    for (let times = 0; times < 3; times += 1) await auth('POST', '/sign-in/email', { email, password: 'wrong horse battery' })
    const signedIn = await auth('POST', '/sign-in/email', { email, password })
    await auth('POST', '/sign-out', {}, { cookie: cookieOf(signedIn.headers['set-cookie']) })
    const entriesFor = async ({ call }: typeof one) => (await call('GET', `/v1/audit?actorId=usr_${userId}`)).body.data
    for (const entries of [await entriesFor(one), await entriesFor(two)]) {
      expect(entries).toMatchObject([
        { action: 'user.signed_out' },
        { action: 'user.signed_in', requestId: signedIn.headers['x-request-id'], address: expect.stringMatching(/^203\./) },
        { action: 'user.sign_in_failed', actor: { name: 'Robin Moss' }, targetId: `usr_${userId}` },
      ])
    }
    expect(await entriesFor(other)).toEqual([])
  })
})
