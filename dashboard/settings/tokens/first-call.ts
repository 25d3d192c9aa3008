import type { Scope } from '@groundwork/api'

interface TokenInfo {
  origin: string
  token: string
  scopes: readonly Scope[]
  baseIds: readonly string[] | null
}

const lists: readonly (readonly [Scope, path: string])[] = [
  ['contacts:read', '/v1/contacts?limit=3'],
  ['bases:read', '/v1/bases?limit=3'],
  ['proposals:read', '/v1/proposals?limit=3'],
  ['events:read', '/v1/events?limit=3'],
  ['webhooks:read', '/v1/webhooks?limit=3'],
  ['tokens:read', '/v1/tokens?limit=3'],
  ['audit:read', '/v1/audit?limit=3'],
]

/** Returns a curl command that the token is allowed to run, or undefined if none of its permissions has a simple example. */
export function firstCall({ origin, token, scopes, baseIds }: TokenInfo): string | undefined {
  const baseId = baseIds?.[0]
  if (scopes.includes('search:read') && baseId !== undefined) {
    return [
      `curl ${origin}/v1/bases/${baseId}/search \\`,
      `  -H 'Authorization: Bearer ${token}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"query": "When do you open on Sunday?"}'`,
    ].join('\n')
  }
  const path = lists.find(([scope]) => scopes.includes(scope))?.[1]
  return path === undefined ? undefined : `curl '${origin}${path}' \\\n  -H 'Authorization: Bearer ${token}'`
}
