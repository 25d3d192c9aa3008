import { api, openapi } from '@groundwork/api'
import { readFileSync, writeFileSync } from 'node:fs'
import { contractSource } from './contract-source.ts'
import { routesSource, type Document } from './routes-source.ts'

const document = documentOf(openapi(api, { title: '', version: '', description: '' }))
const sources = { 'routes.ts': routesSource(document), 'contract.ts': contractSource(document) }

for (const [name, source] of Object.entries(sources)) {
  const file = new URL(name, import.meta.url)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, source)
  } else if (readFileSync(file, 'utf8') !== source) {
    console.error(`sdk/${name} does not match the route table: run npm run sdk:generate and commit it`)
    process.exitCode = 1
  }
}

/** `openapi` returns OpenAPI 3.1, of which `Document` is the part used here. */
function documentOf(built: object): Document & Parameters<typeof contractSource>[0] {
  return built as Document & Parameters<typeof contractSource>[0]
}
