import { URI, type TOTP } from 'otpauth'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openIssuer } from './issuer.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { testIssuer } from '../../testing/oidc-issuer.ts'
import { browse, cookieOf, password, person } from '../../testing/people.ts'

const issuer = await testIssuer()
const service = await testApp({ oidc: issuer })
const { app, organization } = service
afterAll(() => issuer.close())

let visitors = 0
beforeEach(() => {
  issuer.fault = null
})

interface Begun {
  url: string
  /** The Cookie header of the browser that started the sign-in. */
  cookie: string
}

async function begin(cookie = ''): Promise<Begun> {
  visitors += 1
  const answer = await app.inject({
    method: 'POST',
    url: '/auth/sign-in/oidc',
    remoteAddress: `203.0.113.${visitors}`,
    headers: { origin: 'http://groundwork.test', cookie },
    payload: {},
  })
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
  return { url: answer.json().url, cookie: cookieOf(answer.headers['set-cookie']) }
}

async function comeBack(address: string, cookie: string): Promise<{ outcome: string | null; cookie: string; set: string[] }> {
  const { pathname, search } = new URL(address)
  visitors += 1
  const answer = await app.inject({
    method: 'GET',
    url: `${pathname}${search}`,
    remoteAddress: `203.0.113.${visitors}`,
    headers: { cookie },
  })
  const location = new URL(String(answer.headers.location), 'http://groundwork.test')
  expect([answer.statusCode, location.pathname]).toEqual([302, '/app/sign-in'])
  const set = [answer.headers['set-cookie'] ?? []].flat()
  return { outcome: location.searchParams.get('oidc'), cookie: cookieOf(set), set }
}

/** Runs a complete sign-in of a browser with these cookies. */
async function signIn(): Promise<{ outcome: string | null; cookie: string; set: string[] }> {
  const { url, cookie } = await begin()
  return comeBack(await issuer.visit(url), cookie)
}

const claims = (email: string, more: object = {}) => ({
  sub: `of ${email}`,
  email,
  email_verified: true,
  name: 'Robin From Elsewhere',
  ...more,
})
const me = (cookie: string) => browse(app, { method: 'GET', path: '/v1/me', headers: { cookie } })
const users = async (email: string): Promise<number> => {
  const { rowCount } = await service.database.pool.query('select from identity."user" where lower(email) = lower($1)', [email])
  return rowCount ?? 0
}
const hasSession = (set: string[]): boolean => set.some((each) => /session_token=[^;]/.test(each))

describe('sign-in with an identity provider', () => {
  it('is offered on the sign-in page and reported by GET /v1/system', async () => {
    const { call } = await organization()
    expect((await browse(app, { method: 'GET', path: '/v1/setup' })).body.oidcHost).toBe(new URL(issuer.issuer).host)
    expect((await call('GET', '/v1/system')).body.oidc).toBe(true)
  })

  it('signs in the user with the verified address and records it in the audit log', async () => {
    const own = await organization()
    const { email, userId } = await person(service, { [own.organizationId]: 'admin' })
    issuer.person = { claims: claims(email.toUpperCase()), at: 'token' }
    const { outcome, cookie } = await signIn()
    expect(outcome).toBe('done')
    expect((await me(cookie)).body).toMatchObject({
      user: { id: `usr_${userId}`, name: 'Robin Moss', email },
      organizations: [{ role: 'admin' }],
    })
    const { body } = await own.call('GET', `/v1/audit?actorId=usr_${userId}`)
    expect(body.data).toMatchObject([{ action: 'user.signed_in', targetId: `usr_${userId}` }])
    const { rows } = await service.database.pool.query(`select * from identity.account where user_id = $1 and provider_id = 'oidc'`, [
      userId,
    ])
    expect(rows).toMatchObject([
      { account_id: `${issuer.issuer} of ${email.toUpperCase()}`, access_token: null, id_token: null, refresh_token: null },
    ])
  })

  it('recognizes a user whose address at the provider has changed', async () => {
    const { email, userId } = await person(service)
    issuer.person = { claims: claims(email), at: 'token' }
    expect((await signIn()).outcome).toBe('done')
    issuer.person = { claims: { ...claims('new@example.com'), sub: `of ${email}` }, at: 'token' }
    expect((await me((await signIn()).cookie)).body.user).toMatchObject({ id: `usr_${userId}`, email })
  })

  it('reads missing claims from the UserInfo endpoint', async () => {
    const { email } = await person(service)
    issuer.person = { claims: claims(email), at: 'userinfo' }
    expect((await signIn()).outcome).toBe('done')
    issuer.fault = 'subject'
    expect((await signIn()).outcome).toBe('not_believed')
  })

  it('does not combine the address and its verification from different sources', async () => {
    const { email } = await person(service)
    const about = claims('mine@example.com', { sub: 'half' })
    issuer.person = { claims: about, at: 'userinfo' }
    expect((await signIn()).outcome).toBe('no_user')
    issuer.person = { claims: { ...about, email, email_verified: undefined }, at: 'token' }
    expect((await signIn()).outcome).toBe('email_unverified')
  })

  it('creates a user for an invited address, who joins only by accepting the invitation', async () => {
    const own = await organization()
    const email = 'Invited.One@example.com'
    await own.call('POST', '/v1/invitations', { email, role: 'viewer' })
    issuer.person = { claims: claims(email), at: 'token' }
    const { outcome, cookie } = await signIn()
    expect(outcome).toBe('done')
    expect((await me(cookie)).body).toMatchObject({
      user: { name: 'Robin From Elsewhere', email: email.toLowerCase(), emailVerified: true },
      organizations: [],
    })
    const { rows } = await service.database.pool.query('select text from mail where recipient = $1', [email.toLowerCase()])
    const token = /invitation#(\S+)/.exec(rows[0].text)?.[1]
    const accepted = await browse(app, { method: 'POST', path: '/v1/invitations/accept', body: { token }, headers: { cookie } })
    expect(accepted).toMatchObject({ status: 200, body: { organizations: [{ role: 'viewer' }] } })
    expect((await signIn()).outcome).toBe('done')
    expect(await users(email)).toBe(1)
  })

  it('creates no user without an open invitation', async () => {
    issuer.person = { claims: claims('stranger@example.com'), at: 'token' }
    expect(await signIn()).toMatchObject({ outcome: 'no_user', cookie: expect.not.stringMatching(/session_token=./) })
    const own = await organization()
    await own.call('POST', '/v1/invitations', { email: 'late@example.com', role: 'viewer' })
    await service.database.pool.query(`update invitation set expires_at = now() - interval '1 second' where email = 'late@example.com'`)
    issuer.person = { claims: claims('late@example.com'), at: 'token' }
    expect((await signIn()).outcome).toBe('no_user')
    expect([await users('stranger@example.com'), await users('late@example.com')]).toEqual([0, 0])
  })

  it.each([false, undefined, 'true', null])(
    'signs in nobody by an address of which the provider says it is verified: %s',
    async (verified) => {
      const own = await organization()
      const { email, userId } = await person(service, { [own.organizationId]: 'owner' })
      issuer.person = { claims: claims(email, { email_verified: verified }), at: 'token' }
      const { outcome, set } = await signIn()
      expect([outcome, hasSession(set)]).toEqual(['email_unverified', false])
      const { body } = await own.call('GET', `/v1/audit?actorId=usr_${userId}`)
      expect(body.data).toMatchObject([{ action: 'user.sign_in_failed' }])
    },
  )

  it.each(['nonce', 'signature', 'unsigned', 'audience', 'other-client', 'issuer', 'expired'] as const)(
    'believes no answer whose %s is wrong',
    async (fault) => {
      const { email } = await person(service)
      issuer.person = { claims: claims(email), at: 'token' }
      issuer.fault = fault
      const { outcome, set } = await signIn()
      expect([outcome, hasSession(set)]).toEqual(['not_believed', false])
    },
  )

  it('reports a refusal by the provider', async () => {
    issuer.fault = 'denied'
    expect((await signIn()).outcome).toBe('issuer_refused')
  })

  it('rejects a response to another browser, and a repeated response', async () => {
    const { email } = await person(service)
    issuer.person = { claims: claims(email), at: 'token' }
    const [own, other] = [await begin(), await begin()]
    const address = await issuer.visit(own.url)
    expect(await comeBack(address, '')).toMatchObject({ outcome: 'expired' })
    expect(await comeBack(address, other.cookie)).toMatchObject({ outcome: 'expired' })
    const forged = new URL(address)
    forged.searchParams.set('state', 'x'.repeat(32))
    expect(await comeBack(forged.href, own.cookie)).toMatchObject({ outcome: 'expired' })
    const elsewhere = new URL(address)
    elsewhere.searchParams.set('iss', 'https://elsewhere.example')
    expect(await comeBack(elsewhere.href, own.cookie)).toMatchObject({ outcome: 'not_believed' })
    const again = await begin()
    const good = await issuer.visit(again.url)
    expect(await comeBack(good, again.cookie)).toMatchObject({ outcome: 'done' })
    expect(await comeBack(good, again.cookie)).toMatchObject({ outcome: 'expired' })
  })

  it('starts a new session, whatever cookies the browser sends', async () => {
    const [before, { email, userId }] = [await person(service), await person(service)]
    issuer.person = { claims: claims(email), at: 'token' }
    const { url, cookie } = await begin(before.cookie)
    const { cookie: begun } = await comeBack(await issuer.visit(url), `${before.cookie}; ${cookie}`)
    expect(begun).not.toContain(before.cookie)
    expect((await me(begun)).body.user.id).toBe(`usr_${userId}`)
  })

  it('requires the second factor', async () => {
    const { email, cookie } = await person(service)
    const post = (path: string, payload: object, of: string) =>
      app.inject({ method: 'POST', url: `/auth${path}`, headers: { origin: 'http://groundwork.test', cookie: of }, payload })
    const { totpURI } = (await post('/two-factor/enable', { password }, cookie)).json()
    const codeAt = (timestamp: number): string => (URI.parse(totpURI) as TOTP).generate({ timestamp })
    await post('/two-factor/verify-totp', { code: codeAt(Date.now()) }, cookie)
    issuer.person = { claims: claims(email), at: 'token' }
    const half = await signIn()
    expect([half.outcome, hasSession(half.set)]).toEqual(['code', false])
    expect((await me(half.cookie)).status).toBe(401)
    expect((await post('/two-factor/verify-totp', { code: '000000' }, half.cookie)).statusCode).toBe(401)
    const whole = await post('/two-factor/verify-totp', { code: codeAt(Date.now() + 30_000) }, half.cookie)
    expect((await me(cookieOf(whole.headers['set-cookie']))).status).toBe(200)
  })

  it('reports an unavailable provider and recovers with it', async () => {
    const { email } = await person(service)
    issuer.person = { claims: claims(email), at: 'token' }
    const { url, cookie } = await begin()
    const address = await issuer.visit(url)
    issuer.fault = 'down'
    expect((await comeBack(address, cookie)).outcome).toBe('issuer_unavailable')
    issuer.fault = null
    expect((await signIn()).outcome).toBe('done')
  })
})

describe('an issuer', () => {
  const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
  afterAll(() => outbound.close())
  const flow = { state: 's', nonce: 'n', codeVerifier: 'v', redirectUri: 'http://groundwork.test/auth/oidc/callback' }
  const opened = (address: string) => openIssuer({ issuer: address, clientId: 'c', clientSecret: 's' }, { outbound, now: () => new Date() })

  it('can be on a private network, and its URL can end with a slash', async () => {
    expect(await opened(`${issuer.issuer}/`).authorizationUrl(flow)).toContain(`${issuer.issuer}/authorize?`)
  })

  it('counts as unavailable if there is no server or another one', async () => {
    await expect(opened('http://127.0.0.1:9').authorizationUrl(flow)).rejects.toMatchObject({ code: 'issuer_unavailable' })
    await expect(opened(`${issuer.issuer}/realms/other`).authorizationUrl(flow)).rejects.toMatchObject({ code: 'issuer_unavailable' })
    await expect(opened(issuer.issuer.replace('127.0.0.1', 'localhost')).authorizationUrl(flow)).rejects.toMatchObject({
      code: 'issuer_unavailable',
      message: expect.stringContaining('identifies itself'),
    })
  })
})

describe('a service without an identity provider', () => {
  it('has no OIDC endpoints', async () => {
    const without = await testApp()
    const answer = await without.app.inject({
      method: 'POST',
      url: '/auth/sign-in/oidc',
      headers: { origin: 'http://groundwork.test' },
      payload: {},
    })
    expect(answer.statusCode).toBe(404)
    expect((await browse(without.app, { method: 'GET', path: '/v1/setup' })).body.oidcHost).toBeNull()
  })
})
