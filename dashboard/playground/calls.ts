import type { AskedBody } from './asked.ts'

interface Given {
  origin: string
  baseIds: readonly string[]
  body: AskedBody
}

/** The same question as a request of a shell. */
export function asCurl({ origin, baseIds, body }: Given): string {
  const [path, sent] = routeOf(baseIds, body)
  return [
    `curl ${origin}${path} \\`,
    `  -H "Authorization: Bearer $GROUNDWORK_TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(sent, null, 2).replaceAll("'", `'\\''`)}'`,
  ].join('\n')
}

/** The same question by the SDK. */
export function asTypeScript({ origin, baseIds, body }: Given): string {
  const [, sent] = routeOf(baseIds, body)
  const call = baseIds.length === 1 ? `bases.search('${baseIds[0]}', ` : 'search('
  return [
    `import { Groundwork } from '@groundwork/sdk'`,
    ``,
    `const client = new Groundwork({ baseUrl: '${origin}', token: process.env.GROUNDWORK_TOKEN })`,
    `const { data, degraded } = await client.${call}${JSON.stringify(sent, null, 2)})`,
  ].join('\n')
}

/** What an assistant is configured with so that it can ask such questions itself. */
export const asMcp = (origin: string): string =>
  JSON.stringify({ mcpServers: { groundwork: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: 'Bearer gw_…' } } } }, null, 2)

const routeOf = (baseIds: readonly string[], body: AskedBody): [path: string, body: object] =>
  baseIds.length === 1 ? [`/v1/bases/${baseIds[0]}/search`, body] : ['/v1/search', { baseIds, ...body }]
