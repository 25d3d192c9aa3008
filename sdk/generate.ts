import { api, openapi } from '@groundwork/api'
import { readFileSync, writeFileSync } from 'node:fs'
import { routesSource, type Document } from './routes-source.ts'

const file = new URL('routes.ts', import.meta.url)
const source = routesSource(documentOf(openapi(api, { title: '', version: '', description: '' })))

if (!process.argv.includes('--check')) {
  writeFileSync(file, source)
} else if (readFileSync(file, 'utf8') !== source) {
  console.error('sdk/routes.ts does not match the route table: run npm run sdk:generate and commit it')
  process.exitCode = 1
}

/** `openapi` returns OpenAPI 3.1, of which `Document` is the part used here. */
function documentOf(document: object): Document {
  return document as Document
}
