import { api, apiTags, openapi } from '@groundwork/api'
import { readFileSync, writeFileSync } from 'node:fs'
import { openapiInfo } from './docs.ts'

const file = new URL('../../api/openapi.json', import.meta.url)
const document = `${JSON.stringify(openapi(api, openapiInfo, apiTags), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, document)
} else if (readFileSync(file, 'utf8') !== document) {
  console.error('api/openapi.json does not match the route table. Run "npm run openapi" and commit the result.')
  process.exitCode = 1
}
