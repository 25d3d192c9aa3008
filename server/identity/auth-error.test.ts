import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { password, person } from '../testing/people.ts'

const service = await testApp()
const { app } = service
let address = 0

/** Sends a request with the Origin of this service, by default from a new client address, since attempts are limited by address. */
function auth(path: string, body: object | string | undefined, headers: Record<string, string> = {}, remoteAddress?: string) {
  address += 1
  const sent = { origin: 'http://groundwork.test', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
  return app.inject({
    method: 'POST',
    url: `/auth${path}`,
    remoteAddress: remoteAddress ?? `203.0.113.${address}`,
    headers: sent,
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

describe('an error below /auth', () => {
  it('has the form of every other error', async () => {
    const { email, cookie } = await person(service)
    const cases: [path: string, body: object | string | undefined, headers: Record<string, string>, status: number, code: string][] = [
      ['/sign-in/email', { email, password: 'wrong horse battery' }, {}, 401, 'unauthorized'],
      ['/sign-in/email', { email }, {}, 422, 'validation_error'],
      ['/sign-in/email', { email: 'nobody', password }, {}, 422, 'validation_error'],
      ['/sign-in/email', '{', {}, 400, 'bad_request'],
      ['/sign-in/email', '[]', {}, 422, 'validation_error'],
      ['/sign-in/email', { email, password }, { origin: 'https://elsewhere.example' }, 403, 'forbidden'],
      ['/sign-in/email', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
      ['/sign-in/email', { email, password: 'x'.repeat(20_000) }, {}, 413, 'payload_too_large'],
      ['/sign-up/email', { email, password }, {}, 404, 'not_found'],
      ['/list-sessions', {}, { cookie }, 404, 'not_found'],
      ['/change-password', { currentPassword: password, newPassword: 'another long pass phrase' }, {}, 401, 'unauthorized'],
      ['/change-password', { currentPassword: 'wrong', newPassword: 'another long pass phrase' }, { cookie }, 400, 'bad_request'],
      ['/change-password', { currentPassword: password, newPassword: 'short' }, { cookie }, 422, 'validation_error'],
      ['/reset-password', { token: 'unknown', newPassword: 'another long pass phrase' }, {}, 400, 'bad_request'],
      ['/two-factor/verify-totp', { code: '000000' }, {}, 401, 'unauthorized'],
      ['/update-user', { name: '' }, {}, 401, 'unauthorized'],
    ]
    for (const [path, body, headers, status, code] of cases) {
      const answer = await auth(path, body, headers)
      const { error, ...rest } = answer.json()
      expect([path, answer.statusCode, error]).toEqual([path, status, expect.objectContaining({ code, message: expect.any(String) })])
      expect(rest).toEqual({})
      expect(error.message).not.toBe('')
      expect(error.requestId).toBe(answer.headers['x-request-id'])
    }
  })

  it.each([
    ['/request-password-reset', { email: '::not valid::' }, 'email', 'email must be an email address'],
    ['/sign-in/email', { email: 'nobody', password }, 'email', 'This is not an email address.'],
    ['/sign-in/email', { email: 'nobody@example.com' }, 'password', 'password is required'],
    ['/sign-in/email', { email: 'nobody@example.com', password: 7 }, 'password', 'password must be text'],
    ['/reset-password', { token: 'unknown' }, 'newPassword', 'newPassword is required'],
    ['/two-factor/verify-totp', {}, 'code', 'code is required'],
  ])('names the field that is not valid: %s %j', async (path, body, field, message) => {
    expect((await auth(path, body)).json().error).toMatchObject({ code: 'validation_error', field, message })
  })

  it('of too many attempts has Retry-After', async () => {
    const attempt = () => auth('/sign-in/email', { email: 'nobody@example.com', password }, {}, '198.51.100.9')
    const answers = await Promise.all(Array.from({ length: 12 }, attempt))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused).toHaveLength(2)
    for (const { headers, body } of refused) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
      expect(JSON.parse(body).error).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('Try again in') })
    }
  })
})

describe('the profile name', () => {
  it.each<[string, unknown, string]>([
    ['', '', 'must not be empty'],
    ['blank', '   ', 'must not be empty'],
    ['too long', 'x'.repeat(201), 'must have at most 200 characters'],
    ['with a NUL', 'a\u0000b', 'must be well-formed text without NUL characters'],
    ['with half a surrogate pair', 'a\ud800', 'must be well-formed text without NUL characters'],
    ['no text', 7, 'must be text'],
    ['none', undefined, 'is required'],
  ])('is validated by the rules of the API: %s', async (_what, name, message) => {
    const { cookie, call } = await person(service)
    const answer = await auth('/update-user', { name }, { cookie })
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      422,
      { code: 'validation_error', field: 'name', message: expect.stringContaining(`name ${message}`) },
    ])
    expect((await call('GET', '/v1/me')).body.user.name).toBe('Robin Moss')
  })

  it('is the only field that changes', async () => {
    const { cookie, call } = await person(service)
    for (const more of [{ image: 'https://evil.example/a.png' }, { email: 'other@example.com' }, { emailVerified: false }]) {
      const { statusCode } = await auth('/update-user', { name: 'Other', ...more }, { cookie })
      expect(statusCode).toBe(422)
    }
    expect((await auth('/update-user', { name: '  Röbin  ' }, { cookie })).statusCode).toBe(200)
    expect((await call('GET', '/v1/me')).body.user.name).toBe('Röbin')
  })
})
