import { api, apiTags, openapi, type Route } from '@groundwork/api'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { execFile } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { integrationEndpoints } from '../integrations/integrations.ts'
import { testApp } from '../testing/app.ts'
import { openapiInfo } from './docs.ts'

const { app } = await testApp()
const routes: Route[] = Object.values(api).flatMap((verbs) => Object.values<Route>(verbs))

/** Rules in addition to the strict set. */
const linted = {
  'operation-tag-defined': 'error',
  'operation-singular-tag': 'error',
  'component-name-unique': 'error',
  'path-params-defined': 'error',
} as const

/**
 * Routes outside the API: probes, the description of the API, and the pages of proposals. The router prints /docs/assets/* as /docs*, and /auth/*, which
 * better-auth handles, as *.
 */
const besideTheApi = [
  'GET /healthz',
  'GET /readyz',
  'GET /v1/openapi.json',
  'GET /.well-known/groundwork-keys.json',
  'GET /favicon.ico',
  'GET /docs',
  'GET /docs/search',
  'GET /docs/images/{name}',
  'GET /docs/reference',
  'GET /docs/assets/swagger-ui-bundle.js',
  'GET /docs/assets/swagger-ui.css',
  'GET /docs/reference.css',
  'GET /docs/guides.css',
  'GET /docs/icon.svg',
  'GET /docs/former-urls.js',
  'GET /docs/start.js',
  'GET /docs*',
  'GET /widget.js',
  'OPTIONS /widget/search',
  'POST /widget/search',
  'OPTIONS /widget/answer',
  'POST /widget/answer',
  'GET *',
  'POST *',
  'GET /p/{secret}',
  'GET /p/{secret}/pdf',
  'GET /p/{secret}/logo',
  'GET /p/{secret}/files/{sha256}',
  'POST /p/{secret}/view',
  'POST /p/{secret}/accept',
  'POST /p/{secret}/ask',
  'POST /p/{secret}/choose',
  'POST /p/{secret}/decline',
  'GET /p/assets/live-totals.js',
  'GET /p/assets/page.css',
  'GET /p/assets/page.js',
  'GET /p/assets/signature-pad.js',
]

interface Faulty {
  paths: { '/v1/contacts': Record<'get' | 'post', { operationId: string; responses: Record<number, unknown> }> }
  components: { schemas: Record<string, object> }
}

/** Returns `METHOD /path` of all registered routes, with parameters in OpenAPI notation. */
function servedRoutes(): string[] {
  const path: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│├└─ ]*)(\S*?)(?: \((.*)\))?$/.exec(line) ?? []
      path.splice(indent.length / 4 - 1, Number.POSITIVE_INFINITY, part)
      const served = methods === '' ? [] : methods.split(', ')
      return served.map((method) => `${method} ${path.join('').replace(/:(\w+)/g, '{$1}')}`)
    })
}

describe('/v1/openapi.json', () => {
  it('is valid OpenAPI 3.1 and public', async () => {
    const response = await app.inject('/v1/openapi.json')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toContain('application/json')
    const validator = new Validator()
    expect(await validator.validate(response.json())).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('passes an independent linter', async () => {
    const config = await createConfig({ extends: ['recommended-strict'], rules: linted })
    const source = (await app.inject('/v1/openapi.json')).body
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location.map(({ pointer }) => pointer)])).toEqual([])
  })

  it('fails the linter when faults are added', async () => {
    const config = await createConfig({ extends: ['recommended-strict'], rules: linted })
    const faulty = (await app.inject('/v1/openapi.json')).json() as Faulty
    const { get, post } = faulty.paths['/v1/contacts']
    Object.assign(get, { operationId: post.operationId, tags: ['unheard'], security: [{ unheard: [] }] })
    Object.assign(post, { summary: undefined, responses: { 201: post.responses[201] } })
    Object.assign(faulty.components.schemas['CreateContact'] ?? {}, { examples: [{ fristName: 1 }] })
    const problems = await lintFromString({ source: JSON.stringify(faulty), absoluteRef: '/openapi.json', config })
    expect(new Set(problems.map(({ ruleId }) => ruleId))).toEqual(
      new Set([
        'operation-operationId-unique',
        'operation-tag-defined',
        'security-defined',
        'operation-summary',
        'operation-4xx-response',
        'no-invalid-schema-examples',
      ]),
    )
  })

  it('contains exactly the served routes', async () => {
    const { paths } = (await app.inject('/v1/openapi.json')).json() as { paths: Record<string, Record<string, unknown>> }
    const written = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(written.toSorted()).toEqual(routes.map((route) => `${route.method} ${route.path}`).toSorted())
    expect(written).toContain('POST /v1/proposals/{id}/void')
    const served = servedRoutes().filter((each) => !each.startsWith('HEAD '))
    expect(served.toSorted()).toEqual(
      [...written, ...besideTheApi, ...integrationEndpoints.map(({ method, path }) => `${method} ${path}`)].toSorted(),
    )
  })

  it('has a valid example of every body', async () => {
    const { components } = (await app.inject('/v1/openapi.json')).json() as {
      components: { schemas: Record<string, { examples?: unknown[] }> }
    }
    for (const { method, path, body } of routes) {
      if (body === undefined) continue
      const { examples = [] } = components.schemas[z.globalRegistry.get(body)?.id ?? ''] ?? {}
      expect([method, path, examples]).toEqual([method, path, [expect.anything()]])
      for (const example of examples) expect(body.safeParse(example)).toMatchObject({ success: true })
    }
  })

  it('declares every path parameter and has no dangling reference', () => {
    const document = openapi(api, openapiInfo, apiTags) as {
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

  it('equals the committed api/openapi.json', async () => {
    const script = fileURLToPath(new URL('write-openapi.ts', import.meta.url))
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', '--conditions=source', script, '--check'])
    await expect(run).resolves.toBeDefined()
  })
})

describe('/docs/reference', () => {
  const types: Record<string, string> = { '.css': 'text/css', '.js': 'javascript', '.svg': 'image/svg+xml' }

  it('loads all parts of the page from this server', async () => {
    const page = await app.inject('/docs/reference')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"])
      expect(page.headers['content-security-policy']).toContain(directive)
    const parts = [...page.body.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(parts).toHaveLength(3)
    const loadedLater = ['/docs/assets/swagger-ui-bundle.js', '/docs/assets/swagger-ui.css']
    for (const part of [...parts, ...loadedLater]) {
      const response = await app.inject(part)
      expect([part, response.statusCode]).toEqual([part, 200])
      expect(response.headers['content-type']).toContain(types[extname(part)])
      expect(response.headers['x-request-id']).toMatch(/^req_/)
    }
    const start = (await app.inject('/docs/start.js')).body
    for (const text of [...loadedLater, "url: '/v1/openapi.json'"]) expect(start).toContain(text)
    expect((await app.inject('/docs/start.js')).body).toContain('validatorUrl: null')
  })

  it('lists all operations, with links that Swagger UI understands', async () => {
    const { body } = await app.inject('/docs/reference')
    const { paths } = (await app.inject('/v1/openapi.json')).json() as {
      paths: Record<string, Record<string, { operationId: string; tags: string[] }>>
    }
    const links = Object.values(paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId, tags }) => `#/${tags[0]}/${operationId}`),
    )
    expect([...body.matchAll(/<li><a href="([^"]+)"/g)].map((match) => match[1]).toSorted()).toEqual(links.toSorted())
    expect(body).toContain('<b class="post">POST</b> <code>/v1/contacts</code> <span>Create a contact</span>')
  })

  it.each(['index.html', 'oauth2-redirect.html', 'swagger-initializer.js', 'package.json', 'swagger-ui.css.map', ''])(
    'serves no page of the package behind it: %s',
    async (file) => {
      expect((await app.inject(`/docs/assets/${file}`)).statusCode).toBe(404)
    },
  )
})

describe('/docs', () => {
  it('serves the guides, with a policy that allows files of this server only', async () => {
    for (const [path, text] of [
      ['/docs', '<h1 id="groundwork">'],
      ['/docs/', '<h1 id="groundwork">'],
      ['/docs/retries', 'id="idempotency"'],
      ['/docs/operations/back-up', '<h1'],
      ['/docs/sdk', '@groundwork/sdk'],
      ['/docs/search?q=idempotency', 'href="/docs/retries#idempotency"'],
      ['/docs/search', 'Search the guides'],
    ]) {
      const page = await app.inject(String(path))
      expect([path, page.statusCode, page.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect([path, page.body]).toEqual([path, expect.stringContaining(String(text))])
      expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    }
    for (const path of ['/docs/guides.css', '/docs/former-urls.js', '/docs/images/dashboard.png'])
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, 200])
  })

  it('escapes the query of a search, and accepts any text', async () => {
    for (const query of ['"><script>alert(1)</script>', '(', '\\', '%00', 'a'.repeat(10_000), 'x&q=y']) {
      const page = await app.inject(`/docs/search?q=${encodeURIComponent(query)}`)
      expect([query.slice(0, 40), page.statusCode]).toEqual([query.slice(0, 40), 200])
      expect(page.body).not.toContain('<script>')
    }
  })

  it.each([
    '/docs/nothing',
    '/docs/contributing/add-a-field',
    '/docs/..%2fLICENSE',
    '/docs/images/..%2f..%2fREADME.md',
    '/docs/images/x.png',
  ])('has no other file: %s', async (path) => expect((await app.inject(path)).statusCode).toBe(404))

  it('helps browsers at a URL without a guide', async () => {
    const page = await app.inject({ url: '/docs/nothing', headers: { accept: 'text/html,*/*' } })
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining('There is no guide at this URL')])
  })
})
