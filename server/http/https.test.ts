import { describe, expect, it } from 'vitest'
import { createIdentity } from '../identity/identity.ts'
import { parseTrustedProxies } from '../lib/trusted-proxies.ts'
import { moduleHandlers } from '../modules.ts'
import { testApp } from '../testing/app.ts'
import { password, person } from '../testing/people.ts'
import { authenticator } from '../tokens/authenticator.ts'
import { createApp } from './app.ts'

const service = await testApp()
const now = (): Date => new Date()
const { authenticate } = authenticator(service.database, { now })

/** Starts the service with this public URL, behind a proxy at 127.0.0.1. */
function at(baseUrl: string) {
  const { database, platform } = service
  const unused = async (): Promise<void> => undefined
  const { secretKey, mailer, log } = platform
  const identity = createIdentity(database, { baseUrl, secretKey, mailer, issuer: null, log, now, record: unused, enqueueReset: unused })
  return createApp({
    platform: { ...platform, baseUrl, identity },
    authenticate,
    handlers: moduleHandlers,
    proxies: parseTrustedProxies('127.0.0.1'),
  })
}

describe('with an https BASE_URL', () => {
  it('sends Strict-Transport-Security, with errors too, except over plain http', async () => {
    const app = await at('https://groundwork.test')
    for (const url of ['/healthz', '/v1/contacts', '/v1/nothing', '/v1/contacts/%zz', '/docs'])
      expect((await app.inject(url)).headers['strict-transport-security']).toBe('max-age=31536000')
    expect((await app.inject({ url: '/healthz', headers: { 'x-forwarded-proto': 'http' } })).headers).not.toHaveProperty(
      'strict-transport-security',
    )
    const https = await app.inject({ url: '/healthz', headers: { 'x-forwarded-proto': 'https' } })
    expect(https.headers).toHaveProperty('strict-transport-security')
  })

  it('marks the session cookie as Secure', async () => {
    const app = await at('https://groundwork.test')
    const { email } = await person(service)
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/sign-in/email',
      headers: { origin: 'https://groundwork.test', 'x-forwarded-for': '203.0.113.77', 'x-forwarded-proto': 'https' },
      payload: { email, password },
    })
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Secure-groundwork\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/)
  })
})

describe('with an http BASE_URL', () => {
  it('sends no Strict-Transport-Security', async () => {
    const app = await at('http://groundwork.test')
    const answer = await app.inject({ url: '/healthz', headers: { 'x-forwarded-proto': 'https' } })
    expect(answer.headers).not.toHaveProperty('strict-transport-security')
  })

  it('compares the Origin on loopback with the scheme that the proxy reports', async () => {
    const app = await at('http://127.0.0.1:4000')
    const signOut = (origin: string, proto: string) =>
      app.inject({
        method: 'POST',
        url: '/auth/sign-out',
        headers: { host: 'localhost', origin, 'x-forwarded-proto': proto },
        payload: {},
      })
    expect((await signOut('https://localhost', 'https')).statusCode).toBe(200)
    expect((await signOut('https://localhost', 'http')).statusCode).toBe(403)
    expect((await signOut('http://localhost', 'http')).statusCode).toBe(200)
  })
})
