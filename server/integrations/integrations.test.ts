import { scopes } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'
import { createFixtures, unitEmbedder, type Fixtures } from '../testing/fixtures.ts'
import { integrationEndpoints } from './integrations.ts'

const { app, organization } = await testApp({ embedder: unitEmbedder })

/** A valid body for each endpoint that has one. Add one for each new endpoint with a body. */
const bodies: Record<string, (of: Fixtures) => object> = {
  '/mcp': () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  '/openai/v1/vector_stores/{id}/search': () => ({ query: 'opening hours' }),
  '/dify/retrieval': (of) => ({ knowledge_id: of['kb'], query: 'opening hours', retrieval_setting: { top_k: 5, score_threshold: 0 } }),
  '/vapi/bases/{baseId}': () => ({ message: { type: 'knowledge-base-request', messages: [{ role: 'user', content: 'opening hours' }] } }),
  '/vapi/tools': () => ({ message: { type: 'tool-calls', toolCallList: [{ id: 'x', name: 'find_contact', arguments: { query: 'x' } }] } }),
}

const addressOf = (path: string, id: string): string => path.replace(/\{\w+\}/g, id)
/** The id that the path takes: of a source or of a knowledge base. */
const idFor = (path: string, own: Fixtures): string => own[path.startsWith('/openai/v1/files/') ? 'src' : 'kb'] ?? ''
const replying = integrationEndpoints.filter(({ path, method }) => path !== '/mcp' || method === 'POST')
/** The endpoints that search or read a single knowledge base. */
const ofOneBase = replying.filter(({ path }) => path.includes('{') || path === '/dify/retrieval')

describe('every integration endpoint', () => {
  it.each(integrationEndpoints)(
    '$method $path refuses a missing or invalid token with an error of its protocol',
    async ({ method, path, formatError }) => {
      for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: `Bearer gw_${'0'.repeat(38)}` }]) {
        const response = await app.inject({ method, url: addressOf(path, newId()), headers })
        expect(response.statusCode).toBe(path.startsWith('/dify') ? 403 : 401)
        expect(response.headers).toMatchObject({ 'www-authenticate': 'Bearer realm="groundwork"', 'x-content-type-options': 'nosniff' })
        expect(Object.keys(response.json())).toEqual(
          Object.keys(formatError({ code: 'unauthorized', message: '' } as never, { requestId: '', secret: '' }).body as object),
        )
      }
    },
  )

  it.each(replying.filter(({ scope }) => scope !== null))(
    '$method $path refuses a token without its scope',
    async ({ method, path, scope }) => {
      const { call } = await organization({ scopes: scopes.filter((each) => each !== scope) })
      const { status, body } = await call(method, addressOf(path, newId()), bodies[path]?.({ kb: newId() }))
      expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining(String(scope))])
    },
  )

  it.each(replying)('$method $path counts against the rate limits', async ({ method, path }) => {
    const caller = await organization()
    const own = await createFixtures(caller)
    const { status, headers } = await caller.call(method, addressOf(path, idFor(path, own)), bodies[path]?.(own))
    expect([status, headers['ratelimit']]).toEqual([200, expect.stringContaining('"token";r=')])
  })

  it.each(replying.filter(({ method }) => method === 'POST'))(
    '$method $path refuses bodies that are not JSON or too large',
    async ({ path }) => {
      const { call } = await organization()
      const at = addressOf(path, newId())
      expect((await call('POST', at, '{"a":')).status).toBe(400)
      expect((await call('POST', at, '{"__proto__":{}}')).status).toBe(400)
      expect((await call('POST', at)).status).toBe(400)
      expect((await call('POST', at, `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).status).toBe(400)
      expect((await call('POST', at, JSON.stringify({ a: 'x'.repeat(1_100_000) }))).status).toBe(413)
      expect((await call('POST', at, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
      for (const wrong of ['[]', '"text"', '1', 'null', '{}']) {
        expect([400, 404]).toContain((await call('POST', at, wrong)).status)
      }
    },
  )
})

describe("another organization's base", () => {
  it.each(ofOneBase)('is 404 for $method $path, like one outside the limits of the token', async ({ method, path }) => {
    const [owner, stranger] = [await organization(), await organization()]
    const [foreign, second] = [await createFixtures(owner), await createFixtures(owner)]
    await createFixtures(stranger)
    const { body } = await owner.call('POST', '/v1/tokens', { name: 'L', scopes: [...scopes], baseIds: [second['kb']] })
    const ask = (call: typeof owner.call, id: string, headers = {}) =>
      call(method, addressOf(path, id), bodies[path]?.({ kb: id }), headers)
    const foreignId = idFor(path, foreign)
    for (const base of [foreignId, foreignId.slice(-36)]) {
      expect((await ask(owner.call, base)).status).toBe(200)
      expect((await ask(stranger.call, base)).status).toBe(404)
      expect((await ask(owner.call, base, { authorization: `Bearer ${body.token}` })).status).toBe(404)
    }
    for (const id of ['x', `src_${newId()}`, `kb_${newId()}`]) expect((await ask(owner.call, id)).status).toBe(404)
  })

  it('is not in any list', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const foreign = await createFixtures(owner)
    for (const { path } of replying.filter((endpoint) => endpoint.method === 'GET' && !endpoint.path.includes('{'))) {
      expect(JSON.stringify((await owner.call('GET', path)).body)).toContain(foreign['kb'])
      expect(JSON.stringify((await stranger.call('GET', path)).body)).not.toContain(foreign['kb']?.slice(-36))
    }
  })
})
