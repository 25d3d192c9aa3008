import { api, errorsOf, ofOrganization, openapi, type Route } from '@groundwork/api'
import { afterAll, describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createLimits } from '../limits/limits.ts'
import { moduleHandlers } from '../modules.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { authenticator } from '../tokens/authenticator.ts'
import { createApp } from './app.ts'

const { database, platform, organization } = await testApp()
const clock = { ms: Date.parse('2026-05-25T12:00:17.400Z') }
const now = (): Date => new Date(clock.ms)
const closing: (() => Promise<void>)[] = []
afterAll(async () => void (await Promise.all(closing.map((close) => close()))))

/** Starts another process on the same database, which looks up each token once. */
async function another({ perToken = 0, perOrganization = 0 }) {
  const limits = createLimits(database, { perToken, perOrganization, now, onError: (error) => platform.log.error(error) })
  const { authenticate } = authenticator(database, { now: platform.now, monotonicMs: () => 0 })
  const app = await createApp({ platform, authenticate, limits, handlers: moduleHandlers })
  closing.push(() => app.close())
  return (secret: string, method: 'GET' | 'POST' = 'GET', url = '/v1/contacts', headers = {}) =>
    app.inject({ method, url, headers: { authorization: `Bearer ${secret}`, ...headers } })
}

async function secondToken(caller: Caller): Promise<string> {
  return (await caller.call('POST', '/v1/tokens', { name: 'x', scopes: ['contacts:read'] })).body.token
}

describe('a request over the limit', () => {
  it('is refused by every process, which together admit exactly the quota', async () => {
    const quota = 200
    const [one, other] = [await another({ perToken: quota }), await another({ perToken: quota })]
    const { token } = await organization()
    const answers = await Promise.all(Array.from({ length: 2 * quota }, (_, n) => (n % 2 === 0 ? one : other)(token)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(quota)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(quota)
  })

  it('is answered with 429 until the window ends, and has no effect', async () => {
    const send = await another({ perToken: 3, perOrganization: 1000 })
    const caller = await organization()
    for (let n = 0; n < 3; n += 1) expect((await send(caller.token)).statusCode).toBe(200)
    const refused = await send(caller.token, 'POST')
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      error: { code: 'rate_limited', message: expect.stringContaining('API token'), requestId: refused.headers['x-request-id'] },
    })
    expect(refused.headers).toMatchObject({
      'retry-after': '43',
      'ratelimit-policy': '"token";q=3;w=60, "organization";q=1000;w=60',
      ratelimit: '"token";r=0;t=43, "organization";r=997;t=43',
    })
    expect((await send(await secondToken(caller))).statusCode).toBe(200)
    expect((await send((await organization()).token)).statusCode).toBe(200)
    clock.ms += 43_000
    expect((await send(caller.token)).statusCode).toBe(200)
  })

  it('of the organization is refused for all its tokens', async () => {
    const send = await another({ perOrganization: 4 })
    const caller = await organization()
    const second = await secondToken(caller)
    for (let n = 0; n < 2; n += 1) for (const token of [caller.token, second]) expect((await send(token)).statusCode).toBe(200)
    for (const token of [caller.token, second]) {
      const { statusCode, headers, body } = await send(token)
      expect([statusCode, headers['ratelimit-policy'], body.includes('organization')]).toEqual([429, '"organization";q=4;w=60', true])
    }
    expect((await send((await organization()).token)).statusCode).toBe(200)
  })

  it('causes no query', async () => {
    const send = await another({ perToken: 1 })
    const { token } = await organization()
    expect((await send(token)).statusCode).toBe(200)
    expect((await send(token)).statusCode).toBe(429)
    let queries = 0
    database.pool.on('acquire', () => (queries += 1))
    const refusals = await Promise.all(Array.from({ length: 50 }, () => send(token)))
    expect(refusals.every(({ statusCode }) => statusCode === 429)).toBe(true)
    expect(queries).toBe(0)
  })
})

describe('every response to a valid token', () => {
  it('has the RateLimit headers, errors included', async () => {
    const send = await another({ perToken: 1000, perOrganization: 2000 })
    const { token } = await organization({ scopes: ['contacts:read', 'contacts:write'] })
    const answers = [
      await send(token),
      await send(token, 'GET', `/v1/contacts/${newId()}`),
      await send(token, 'GET', '/v1/contacts?limit=x'),
      await send(token, 'GET', '/v1/bases'),
      await send(token, 'POST'),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404, 400, 403, 400])
    expect(answers.map(({ headers }) => headers['ratelimit'])).toEqual(
      [999, 998, 997, 996, 995].map((left) => `"token";r=${left};t=60, "organization";r=${left + 1000};t=60`),
    )
    for (const { headers } of answers) expect(headers['ratelimit-policy']).toBe('"token";q=1000;w=60, "organization";q=2000;w=60')
  })

  it('has no RateLimit headers without limits or without a token', async () => {
    const [unlimited, limited] = [await another({}), await another({ perToken: 5 })]
    const { token } = await organization()
    for (const { headers } of [await unlimited(token), await limited('gw_nonsense'), await limited(token, 'GET', '/healthz')]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([])
    }
  })
})

describe('the OpenAPI document', () => {
  const routes = Object.values(api).flatMap((verbs) => Object.values<Route>(verbs))
  const { paths, components } = openapi(api, { title: 'T', version: '1', description: 'D' }) as {
    paths: Record<string, Record<string, { responses: Record<string, { $ref?: string; headers?: object }> }>>
    components: { responses: Record<string, { headers?: object }> }
  }

  it.each(routes.filter(ofOrganization))('documents 429 and the RateLimit headers of $method $path', (route) => {
    expect(errorsOf(route, api)).toContain('rate_limited')
    const responses = paths[route.path]?.[route.method.toLowerCase()]?.responses
    const tooMany = components.responses[responses?.['429']?.$ref?.replace('#/components/responses/', '') ?? '']
    expect(tooMany?.headers).toHaveProperty('Retry-After')
    expect(Object.keys(responses?.[route.status]?.headers ?? {})).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy']))
  })
})
