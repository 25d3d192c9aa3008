import { describe, expect, it } from 'vitest'
import { roomHandlers } from '../rooms.ts'
import { createApp } from '../http/app.ts'
import { testApp } from '../testing/app.ts'
import { authenticator } from '../tokens/authenticator.ts'
import { newSecret } from '../tokens/secret.ts'
import { createGuesses } from './guesses.ts'

const { database, platform, organization } = await testApp()

/** Another process, whose clock stands still until it is moved and which remembers no answer for long. */
async function another() {
  const clock = { ms: Date.parse('2026-05-25T12:00:10Z') }
  const now = (): Date => new Date(clock.ms)
  const guesses = createGuesses(now)
  const { authenticate } = authenticator(database, { now, guesses, rememberMs: 0 })
  const app = await createApp({ platform: { ...platform, guesses }, authenticate, handlers: roomHandlers })
  const ask = (secret: string, remoteAddress: string) =>
    app.inject({ url: '/v1/contacts', headers: { authorization: `Bearer ${secret}` }, remoteAddress })
  const guess = async (remoteAddress: string, times: number): Promise<number[]> => {
    const statuses = []
    for (let n = 0; n < times; n += 1) statuses.push((await ask(newSecret(), remoteAddress)).statusCode)
    return statuses
  }
  return { app, clock, ask, guess }
}

describe('unknown tokens from one address', () => {
  it('are looked up 60 times a minute, then refused without a query', async () => {
    const { clock, ask, guess } = await another()
    expect(new Set(await guess('203.0.113.7', 60))).toEqual(new Set([401]))
    let queries = 0
    const count = (): void => void (queries += 1)
    database.pool.on('acquire', count)
    const refused = await ask(newSecret(), '203.0.113.7')
    expect([refused.statusCode, refused.json().error.code, refused.headers['retry-after']]).toEqual([429, 'rate_limited', '50'])
    expect(refused.headers).not.toHaveProperty('ratelimit')
    expect((await ask('gw_nonsense', '203.0.113.7')).statusCode).toBe(401)
    expect(queries).toBe(0)
    database.pool.off('acquire', count)
    expect(await guess('203.0.113.8', 1)).toEqual([401])
    clock.ms += 50_000
    expect(await guess('203.0.113.7', 1)).toEqual([401])
  })

  it('do not hurt tokens that were found before, however often those are used', async () => {
    const { ask, guess } = await another()
    const [{ token: known, call }, { token: fresh }] = [await organization(), await organization()]
    for (let n = 0; n < 100; n += 1) expect((await ask(known, '203.0.113.7')).statusCode).toBe(200)
    expect((await guess('203.0.113.7', 70)).filter((status) => status === 429)).toHaveLength(10)
    expect((await ask(known, '203.0.113.7')).statusCode).toBe(200)
    expect((await ask(fresh, '203.0.113.7')).statusCode).toBe(429)
    expect((await ask(fresh, '203.0.113.8')).statusCode).toBe(200)
    expect((await ask(fresh, '203.0.113.7')).statusCode).toBe(200)
    const { body } = await call('GET', '/v1/tokens')
    await call('DELETE', `/v1/tokens/${body.data[0].id}`)
    // Found revoked, it is one more that is unknown, however often it comes.
    for (let n = 0; n < 3; n += 1) expect((await ask(known, '203.0.113.7')).statusCode).toBe(401)
  })

  it('count once each: one that has ended and goes on being presented keeps nobody out', async () => {
    const { ask } = await another()
    const ended = newSecret()
    for (let n = 0; n < 200; n += 1) expect((await ask(ended, '203.0.113.7')).statusCode).toBe(401)
    expect((await ask((await organization()).token, '203.0.113.7')).statusCode).toBe(200)
  })

  it('count for a whole /64 of IPv6, and for an IPv4 address in either form', async () => {
    const { guess } = await another()
    for (let n = 0; n < 60; n += 1) await guess(`2001:db8::${n.toString(16)}`, 1)
    expect(await guess('2001:db8::ffff:1', 1)).toEqual([429])
    expect(await guess('2001:db8:0:1::1', 1)).toEqual([401])
    await guess('203.0.113.7', 60)
    expect(await guess('::ffff:203.0.113.7', 1)).toEqual([429])
  })

  it('count also where they are presented to be revoked', async () => {
    const { app, guess } = await another()
    const present = (token: string) =>
      app.inject({ method: 'POST', url: '/v1/tokens/revoke', payload: { token }, remoteAddress: '203.0.113.7' })
    await guess('203.0.113.7', 30)
    for (let n = 0; n < 30; n += 1) expect((await present(newSecret())).statusCode).toBe(204)
    expect((await present(newSecret())).statusCode).toBe(429)
    expect((await present('no token at all')).statusCode).toBe(204)
  })
})
