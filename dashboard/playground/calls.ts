import type { AskedBody } from './asked.ts'

interface Search {
  origin: string
  baseIds: readonly string[]
  body: AskedBody
}

/** Returns the search as a curl command. */
export function asCurl({ origin, baseIds, body }: Search): string {
  const [path, requestBody] = routeOf(baseIds, body)
  return [
    `curl ${origin}${path} \\`,
    `  -H "Authorization: Bearer $GROUNDWORK_TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(requestBody, null, 2).replaceAll("'", `'\\''`)}'`,
  ].join('\n')
}

/** Returns the search as TypeScript code that uses the SDK. */
export function asTypeScript({ origin, baseIds, body }: Search): string {
  const [, requestBody] = routeOf(baseIds, body)
  const call = baseIds.length === 1 ? `bases.search('${baseIds[0]}', ` : 'search('
  return [
    `import { Groundwork } from '@groundwork/sdk'`,
    ``,
    `const client = new Groundwork({ baseUrl: '${origin}', token: process.env.GROUNDWORK_TOKEN })`,
    `const { data, degraded } = await client.${call}${JSON.stringify(requestBody, null, 2)})`,
  ].join('\n')
}

/** Returns an MCP configuration for assistants. */
export const asMcp = (origin: string): string =>
  JSON.stringify({ mcpServers: { groundwork: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: 'Bearer gw_…' } } } }, null, 2)

const routeOf = (baseIds: readonly string[], body: AskedBody): [path: string, body: object] =>
  baseIds.length === 1 ? [`/v1/bases/${baseIds[0]}/search`, body] : ['/v1/search', { baseIds, ...body }]
