import { api, apiTags, openapi } from '@groundwork/api'
import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packageFile } from '../lib/entry.ts'
import { precompressed } from './precompressed.ts'
import { referencePage } from './reference-page.ts'

export const openapiInfo = {
  title: 'Groundwork',
  version: '1',
  description:
    'HTTP API for the contacts, proposals and knowledge bases of an organization. Send an API token as `Authorization: Bearer`. Every error has a stable `code`.',
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
}

/** All apps of this process share the document. */
const openapiDocument = precompressed(() => JSON.stringify(openapi(api, openapiInfo, apiTags)), 'application/json; charset=utf-8')

const page = precompressed(() => referencePage(openapiInfo.description), 'text/html; charset=utf-8')

/** Serves the OpenAPI document and a reference page made from it. The page loads all its assets from this server. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  app.get('/v1/openapi.json', openapiDocument)
  for (const [name, type] of servedAssets)
    app.get(
      `/docs/assets/${name}`,
      precompressed(() => readFileSync(join(assets(), name), 'utf8'), type),
    )
  app.get('/docs/reference', async (request, reply) => {
    reply.header('Content-Security-Policy', policy)
    return page(request, reply)
  })
  const styles = await readFile(packageFile('guides/assets/reference.css'), 'utf8')
  const start = await readFile(packageFile('guides/assets/reference.js'), 'utf8')
  app.get('/docs/reference.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(styles))
  app.get('/docs/start.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(start))
}

const assets = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The package contains other pages, which load other assets and documents. */
const servedAssets = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
] as const

/** The page sends requests with a token that users enter, so no other page may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
