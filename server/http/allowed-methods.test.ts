import { describe, expect, it } from 'vitest'
import { integrationEndpoints } from '../integrations/integrations.ts'
import { testApp } from '../testing/app.ts'
import { routes } from '../testing/fixtures.ts'

const { app } = await testApp()
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const

const ask = (method: string, url: string, payload?: string) =>
  app.inject({ method: method as 'GET', url, ...(payload !== undefined && { payload, headers: { 'content-type': 'text/plain' } }) })
const filled = (path: string): string => path.replace(/\{\w+\}/g, '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8')

const served = new Map<string, Set<string>>()
for (const { method, path } of [...routes.map(({ route }) => route), ...integrationEndpoints])
  served.set(path, (served.get(path) ?? new Set()).add(method))

describe('an unsupported method', () => {
  it.each([...served])('is 405 with the supported methods: %s', async (path, taken) => {
    const { headers } = await ask('OPTIONS', filled(path))
    const allowed = String(headers['allow']).split(', ')
    expect(allowed).toEqual(expect.arrayContaining([...taken, 'OPTIONS']))
    for (const method of methods) {
      const answer = await ask(method, filled(path))
      if (allowed.includes(method) && method !== 'OPTIONS') {
        expect([method, answer.statusCode]).not.toEqual([method, 405])
        continue
      }
      expect([method, answer.statusCode, answer.headers['allow']]).toEqual([method, method === 'OPTIONS' ? 204 : 405, allowed.join(', ')])
      if (method !== 'HEAD' && method !== 'OPTIONS') expect(answer.json()).toMatchObject({ error: { code: 'method_not_allowed' } })
    }
  })

  it.each([
    ['PUT', '/auth/sign-in/email', 'GET, OPTIONS, POST'],
    ['POST', '/docs', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/docs/assets/swagger-ui.css', 'GET, HEAD, OPTIONS'],
    ['POST', '/v1/openapi.json', 'GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/v1/contacts?limit=1', 'GET, HEAD, OPTIONS, POST'],
  ])('is 405 outside the API too: %s %s', async (method, url, allow) => {
    const answer = await ask(method, url)
    expect([answer.statusCode, answer.headers['allow'], answer.headers['x-request-id']]).toEqual([405, allow, expect.any(String)])
  })

  it('is rejected before the body is read', async () => {
    expect((await ask('PATCH', '/v1/contacts', 'x'.repeat(2_000_000))).statusCode).toBe(405)
  })
})

describe('an unknown path', () => {
  it.each(['/', '/v1', '/v1/contacts/a/b', '/v2/contacts', '/openai', '/v1/openapi.jsonx', '/v1/openapiXjson'])(
    'is 404 whatever the method: %s',
    async (url) => {
      for (const method of methods) {
        const answer = await ask(method, url)
        expect([method, answer.statusCode, answer.headers['allow']]).toEqual([method, 404, undefined])
      }
    },
  )

  it('is 404 for unknown files of the reference page', async () => {
    expect((await ask('GET', '/docs/assets/nothing.js')).statusCode).toBe(404)
  })
})
