import { api, openapi, type Route } from '@groundwork/api'
import { Validator } from '@seriousme/openapi-schema-validator'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { openapiInfo } from './docs.ts'

const { app } = await testApp()
const routes: Route[] = Object.values(api).flatMap((verbs) => Object.values<Route>(verbs))

describe('/v1/openapi.json', () => {
  it('is valid OpenAPI 3.1, and needs no token', async () => {
    const response = await app.inject('/v1/openapi.json')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toContain('application/json')
    const validator = new Validator()
    expect(await validator.validate(response.json())).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('has every route that is served, and only those', async () => {
    const { paths } = (await app.inject('/v1/openapi.json')).json() as { paths: Record<string, Record<string, unknown>> }
    const written = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(written.toSorted()).toEqual(routes.map((route) => `${route.method} ${route.path}`).toSorted())
    expect(written).toContain('POST /v1/proposals/{id}/void')
    for (const route of routes) expect(app.hasRoute({ method: route.method, url: route.path.replace(/\{(\w+)\}/g, ':$1') })).toBe(true)
  })

  it('names every parameter of a path, and refers to nothing that is not there', () => {
    const document = openapi(api, openapiInfo) as {
      paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>>
      components: { schemas: Record<string, { $ref?: string }> }
    }
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const operation of Object.values(operations)) {
        const named = operation.parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
        expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
      }
    }
    const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1])
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(referred))
    for (const [name, schema] of Object.entries(document.components.schemas)) expect([name, schema.$ref]).toEqual([name, undefined])
  })

  it('is the committed api/openapi.json', async () => {
    const script = fileURLToPath(new URL('write-openapi.ts', import.meta.url))
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', '--conditions=source', script, '--check'])
    await expect(run).resolves.toBeDefined()
  })
})

describe('/docs', () => {
  it('is a page of which every part is served from here', async () => {
    const page = await app.inject('/docs')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(parts).toHaveLength(3)
    for (const part of parts) {
      const response = await app.inject(part)
      expect([part, response.statusCode]).toEqual([part, 200])
      expect(response.headers['content-type']).toContain(part.endsWith('.css') ? 'text/css' : 'javascript')
      expect(response.headers['x-request-id']).toMatch(/^req_/)
    }
    expect((await app.inject('/docs/start.js')).body).toContain("url: '/v1/openapi.json'")
  })
})
