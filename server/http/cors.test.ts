import { api } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { integrationEndpoints } from '../integrations/integrations.ts'
import { moduleHandlers } from '../modules.ts'
import { testApp } from '../testing/app.ts'
import { createFixtures, unitEmbedder } from '../testing/fixtures.ts'
import { authenticator } from '../tokens/authenticator.ts'
import { createApp } from './app.ts'

const service = await testApp({ embedder: unitEmbedder })
const origin = 'https://app.example.com'
const { authenticate } = authenticator(service.database, { now: () => new Date() })
const app = await createApp({
  platform: { ...service.platform, corsOrigins: [origin, 'http://localhost:5173'] },
  authenticate,
  handlers: moduleHandlers,
  integrations: integrationEndpoints,
})
const { token } = await service.organization()

const paths = [
  ...new Set([
    ...Object.values(api).flatMap((verbs) => Object.values(verbs).map(({ path }) => path)),
    ...integrationEndpoints.map(({ path }) => path),
  ]),
].map((path) => path.replace(/\{\w+\}/g, 'x'))

const preflight = (url: string, from: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'OPTIONS', url, headers: { origin: from, 'access-control-request-method': 'PATCH', ...headers } })

describe('a page of a listed origin', () => {
  it.each([...paths, '/v1/nothing'])('can send any method and header to %s', async (path) => {
    const wanted = 'authorization,content-type,idempotency-key,if-match'
    const answer = await preflight(path, origin, { 'access-control-request-headers': wanted })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': wanted,
      vary: 'Origin, Access-Control-Request-Headers',
    })
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it.each([
    ['GET', '/v1/contacts', 200],
    ['GET', '/v1/contacts/x', 404],
    ['GET', '/v1/contacts?limit=none', 400],
    ['GET', '/v1/contacts/%zz', 400],
    ['GET', '/v1/nothing', 404],
    ['GET', '/v1/openapi.json', 200],
    ['POST', '/v1/contacts', 400],
    ['POST', '/mcp', 400],
    ['POST', '/vapi/bases/x', 400],
  ] as const)('reads the answer of %s %s, %i', async (method, url, status) => {
    const authorization = `Bearer ${token}`
    const answer = await app.inject({
      method,
      url,
      headers: { origin, authorization, 'content-type': 'application/json' },
      ...(method === 'POST' && { payload: '{' }),
    })
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([status, origin])
    for (const name of [
      'Link',
      'X-Next-Cursor',
      'X-Total-Count',
      'ETag',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'X-Request-Id',
      'Location',
    ])
      expect(String(answer.headers['access-control-expose-headers']).split(', ')).toContain(name)
    expect(String(answer.headers['access-control-expose-headers'])).toContain('Idempotency-Replayed, Link')
    expect(String(answer.headers['access-control-expose-headers'])).toContain('Server-Timing')
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(answer.headers['vary']).toContain('Origin')
  })

  it('can read authentication errors', async () => {
    const answer = await app.inject({ url: '/v1/contacts', headers: { origin } })
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([401, origin])
  })

  it('can call the MCP server', async () => {
    const headers = { origin, authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' }
    const answer = await app.inject({ method: 'POST', url: '/mcp', headers, payload: { jsonrpc: '2.0', id: 1, method: 'ping' } })
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, origin])
  })

  it('gets Vary: Origin, Accept with plain text', async () => {
    const caller = await service.organization()
    const { kb, src } = await createFixtures(caller)
    const headers = { origin, authorization: `Bearer ${caller.token}`, accept: 'text/plain' }
    const answer = await app.inject({ url: `/v1/bases/${kb}/sources/${src}/content`, headers })
    expect([answer.body, answer.headers['vary']]).toEqual(['opening hours', 'Origin, Accept'])
  })
})

describe('a page of another origin', () => {
  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:444',
    'null',
    '',
  ])('%s cannot read responses', async (from) => {
    for (const answer of [
      await preflight('/v1/contacts', from),
      await app.inject({ url: '/v1/openapi.json', headers: { origin: from } }),
    ]) {
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      expect(answer.headers).not.toHaveProperty('access-control-allow-methods')
      expect(answer.headers['vary']).toContain('Origin')
    }
  })

  it('gets no CORS headers if no origin is listed', async () => {
    const answer = await service.app.inject({ url: '/v1/openapi.json', headers: { origin } })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answer.headers['vary']).toBe('Accept-Encoding')
  })
})
