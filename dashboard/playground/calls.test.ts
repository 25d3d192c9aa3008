import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { asCurl, asMcp, asTypeScript } from './calls.ts'

const origin = 'https://groundwork.example.com'

test('a question with quotes survives a shell', () => {
  const body = { query: `What's "late" for $5?`, topK: 3 }
  const call = asCurl({ origin, baseIds: ['kb_1'], body })
  const shell = `curl() { while [ $# -gt 1 ]; do shift; done; printf %s "$1"; }\n${call}`
  expect(JSON.parse(execFileSync('sh', ['-c', shell], { encoding: 'utf8' }))).toEqual(body)
  expect(call).toContain(`curl ${origin}/v1/bases/kb_1/search`)
})

test('several bases are asked by the route for several', () => {
  const given = { origin, baseIds: ['kb_1', 'kb_2'], body: { query: 'When?' } }
  expect(asCurl(given)).toContain(`${origin}/v1/search`)
  expect(asTypeScript(given)).toContain('client.search({\n  "baseIds": [')
  expect(asTypeScript({ ...given, baseIds: ['kb_1'] })).toContain(`client.bases.search('kb_1', {`)
})

test('the configuration for assistants is JSON', () =>
  expect(JSON.parse(asMcp(origin))).toHaveProperty('mcpServers.groundwork.url', `${origin}/mcp`))
