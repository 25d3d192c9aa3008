import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { asCurl, asMcp, asTypeScript } from './calls.ts'

const origin = 'https://groundwork.example.com'

test('escapes quotes in the question for a shell', () => {
  const body = { query: `What's "late" for $5?`, topK: 3 }
  const call = asCurl({ origin, baseIds: ['kb_1'], body })
  const shell = `curl() { while [ $# -gt 1 ]; do shift; done; printf %s "$1"; }\n${call}`
  expect(JSON.parse(execFileSync('sh', ['-c', shell], { encoding: 'utf8' }))).toEqual(body)
  expect(call).toContain(`curl ${origin}/v1/bases/kb_1/search`)
})

test('searches several knowledge bases with /v1/search', () => {
  const search = { origin, baseIds: ['kb_1', 'kb_2'], body: { query: 'When?' } }
  expect(asCurl(search)).toContain(`${origin}/v1/search`)
  expect(asTypeScript(search)).toContain('client.search({\n  "baseIds": [')
  expect(asTypeScript({ ...search, baseIds: ['kb_1'] })).toContain(`client.bases.search('kb_1', {`)
})

test('the MCP configuration is valid JSON', () =>
  expect(JSON.parse(asMcp(origin))).toHaveProperty('mcpServers.groundwork.url', `${origin}/mcp`))
