import { describe, expect, it } from 'vitest'
import { moduleHandlers } from '../modules.ts'
import { createApp } from '../http/app.ts'
import { testApp } from '../testing/app.ts'
import { authenticator } from '../tokens/authenticator.ts'
import { newSecret } from '../tokens/secret.ts'
import { createAuthenticationThrottle } from './authentication-throttle.ts'

const { database, platform, organization } = await testApp()

/** Starts another process with a clock that the test controls and a short cache. */
async function another() {
  const clock = { ms: Date.parse('2026-05-25T12:00:10Z') }
  const now = (): Date => new Date(clock.ms)
  const throttle = createAuthenticationThrottle(now)
  const { authenticate } = authenticator(database, { now, throttle, cacheMs: 0 })
  const app = await createApp({
    platform: { ...platform, authenticationThrottle: throttle },
    authenticate,
    handlers: moduleHandlers,
  })
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
  it('are answered with 401 sixty times per minute, then with 429', async () => {
    const { clock, ask, guess } = await another()
    expect(new Set(await guess('203.0.113.7', 60))).toEqual(new Set([401]))
    const refused = await ask(newSecret(), '203.0.113.7')
    expect([refused.statusCode, refused.json().error.code, refused.headers['retry-after']]).toEqual([429, 'rate_limited', '50'])
    expect(refused.headers).not.toHaveProperty('ratelimit')
    expect(await guess('203.0.113.8', 1)).toEqual([401])
    clock.ms += 50_000
    expect(await guess('203.0.113.7', 1)).toEqual([401])
  })

  it('cause no query if they are malformed', async () => {
    const { ask } = await another()
    let queries = 0
    const count = (): void => void (queries += 1)
    database.pool.on('acquire', count)
    expect((await ask('gw_nonsense', '203.0.113.7')).statusCode).toBe(401)
    database.pool.off('acquire', count)
    expect(queries).toBe(0)
  })

  it('never block a valid token, whether it is cached or not', async () => {
    const { ask, guess } = await another()
    const [{ token: known, call }, { token: fresh }] = [await organization(), await organization()]
    for (let n = 0; n < 100; n += 1) expect((await ask(known, '203.0.113.7')).statusCode).toBe(200)
    expect((await guess('203.0.113.7', 70)).filter((status) => status === 429)).toHaveLength(10)
    expect((await ask(known, '203.0.113.7')).statusCode).toBe(200)
    expect((await ask(fresh, '203.0.113.7')).statusCode).toBe(200)
    const { body } = await call('GET', '/v1/tokens')
    await call('DELETE', `/v1/tokens/${body.data[0].id}`)
    for (let n = 0; n < 3; n += 1) expect((await ask(known, '203.0.113.7')).statusCode).toBe(401)
  })

  it('get 429 beyond the quota in a burst, in which a valid token succeeds', async () => {
    const { ask } = await another()
    const { token } = await organization()
    const burst = Array.from({ length: 200 }, (_, n) => ask(n === 150 ? token : newSecret(), '203.0.113.7'))
    const statuses = (await Promise.all(burst)).map(({ statusCode }) => statusCode)
    expect(statuses[150]).toBe(200)
    expect([401, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([60, 139])
  })

  it('count once each, so that a client with an ended token does not use up the quota', async () => {
    const { ask } = await another()
    const ended = newSecret()
    for (let n = 0; n < 200; n += 1) expect((await ask(ended, '203.0.113.7')).statusCode).toBe(401)
    expect((await ask((await organization()).token, '203.0.113.7')).statusCode).toBe(200)
  })

  it('count by IPv6 /64 network, and by IPv4 address in either notation', async () => {
    const { guess } = await another()
    for (let n = 0; n < 60; n += 1) await guess(`2001:db8::${n.toString(16)}`, 1)
    expect(await guess('2001:db8::ffff:1', 1)).toEqual([429])
    expect(await guess('2001:db8:0:1::1', 1)).toEqual([401])
    await guess('203.0.113.7', 60)
    expect(await guess('::ffff:203.0.113.7', 1)).toEqual([429])
  })

  it('count when sent for revocation, which succeeds for any text', async () => {
    const { app, ask, guess } = await another()
    const { token } = await organization()
    const present = (secret: string) =>
      app.inject({ method: 'POST', url: '/v1/tokens/revoke', payload: { token: secret }, remoteAddress: '203.0.113.7' })
    await guess('203.0.113.7', 30)
    for (const secret of [...Array.from({ length: 30 }, newSecret), newSecret(), 'no token at all', token])
      expect((await present(secret)).statusCode).toBe(204)
    expect((await ask(newSecret(), '203.0.113.7')).statusCode).toBe(429)
    expect((await ask(token, '203.0.113.8')).statusCode).toBe(401)
  })
})

describe('a look-up over the quota', () => {
  const now = (): Date => new Date('2026-05-25T12:00:10Z')
  const address = '203.0.113.7'

  it('waits for the previous one from the same address only', async () => {
    const { lookUp } = createAuthenticationThrottle(now)
    for (let n = 0; n < 60; n += 1) await lookUp(address, async () => undefined)
    const order: string[] = []
    const release: (() => void)[] = []
    const begin = (name: string, from: string): Promise<unknown> =>
      lookUp(from, async () => {
        order.push(name)
        await new Promise<void>((resolve) => release.push(resolve))
        return undefined
      })
    const first = begin('first', address)
    const second = begin('second', address)
    const other = begin('other', '203.0.113.8')
    await Promise.resolve()
    expect(order).toEqual(['other', 'first'])
    for (const go of release.splice(0)) go()
    await Promise.all([first, other])
    await Promise.resolve()
    expect(order).toEqual(['other', 'first', 'second'])
    for (const go of release) go()
    await second
  })

  it('runs after a failed one, whose caller gets the error', async () => {
    const { lookUp } = createAuthenticationThrottle(now)
    for (let n = 0; n < 60; n += 1) await lookUp(address, async () => undefined)
    const failing = lookUp(address, () => Promise.reject(new Error('no database')))
    const next = lookUp(address, async () => 'found')
    await expect(failing).rejects.toThrow('no database')
    expect(await next).toEqual({ found: 'found', refusal: undefined })
    expect((await lookUp(address, async () => undefined)).refusal).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 50 })
  })
})
