import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { integrations } from './search.ts'
import { siteOrigin } from './site-origin.ts'
import { snippets, widgetSnippet } from './snippets.ts'

const target = { origin: 'https://groundwork.example.com', baseId: 'kb_1', token: 'gw_secret', question: `What's "late" for $5?` }

test('every snippet has the address and the token, and no placeholder', () => {
  for (const integration of integrations) {
    const snippet = snippets[integration](target)
    expect([integration, snippet]).toEqual([integration, expect.stringContaining(target.origin)])
    expect([integration, snippet]).toEqual([integration, expect.stringContaining(target.token)])
    if (integration !== 'mcp') expect(snippet).toContain(target.baseId)
    expect(snippet).not.toMatch(/undefined|\$\{|…|</)
  }
})

test('the curl command escapes quotes in the question for a shell', () => {
  const shell = `curl() { while [ $# -gt 1 ]; do shift; done; printf %s "$1"; }\n${snippets.rest(target)}`
  expect(JSON.parse(execFileSync('sh', ['-c', shell], { encoding: 'utf8' }))).toEqual({ query: target.question, topK: 3 })
})

test('the configurations are valid JSON', () => {
  expect(JSON.parse(snippets.mcp(target))).toHaveProperty('mcpServers.groundwork.url', `${target.origin}/mcp`)
  expect(JSON.parse(snippets.vapi(target))).toHaveProperty('server.url', `${target.origin}/vapi/bases/kb_1`)
})

test('the widget is one script of this server', () => {
  expect(widgetSnippet({ origin: target.origin, token: 'gwp_1' })).toBe(
    '<script src="https://groundwork.example.com/widget.js" data-token="gwp_1" defer></script>',
  )
})

test.each([
  ['www.example.com', 'https://www.example.com'],
  [' https://Shop.example.com/contact?x=1 ', 'https://shop.example.com'],
  ['http://127.0.0.1:4010/widget.html', 'http://127.0.0.1:4010'],
  ['localhost:8080', 'http://localhost:8080'],
  ['bücher.example', 'https://xn--bcher-kva.example'],
  ['', null],
  ['not a site', null],
  ['ftp://example.com', null],
  ['javascript:alert(1)', null],
])('the website %j has the origin %j', (address, origin) => {
  expect(siteOrigin(address)).toBe(origin)
})
