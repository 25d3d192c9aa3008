import { api, apiTags, openapi } from '@groundwork/api'
import { readFileSync, writeFileSync } from 'node:fs'
import { openapiInfo } from './docs.ts'

const file = new URL('../../api/openapi.json', import.meta.url)
const document = `${JSON.stringify(openapi(api, openapiInfo, apiTags), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, document)
} else if (readFileSync(file, 'utf8') !== document) {
  console.error('api/openapi.json is not what the route table says: run npm run openapi and commit it')
  process.exitCode = 1
}
