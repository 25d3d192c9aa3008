import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import { Groundwork } from '@groundwork/sdk'
import { createToken, type Program } from '../program.ts'

export interface SignedIn {
  /** Where the dashboard is. */
  url: string
  /** The organization in its addresses. */
  slug: string
  /** The API on behalf of the same organization, by a token: for what a test needs to be there. */
  api: Groundwork
  /** Signs a browser in. */
  enter: (context: BrowserContext) => Promise<void>
}

/** A stand-in before the program that knows who is signed in, and asks on their behalf with a token. */
export async function signedIn(program: Program, atEnd: (end: () => Promise<void>) => void): Promise<SignedIn> {
  const { token, organizationId } = await createToken(program)
  const scopes = ['contacts', 'proposals', 'bases', 'sources', 'evaluations', 'tokens', 'webhooks'].flatMap((name) => [
    `${name}:read`,
    `${name}:write`,
  ])
  const organization = { name: 'Acme', slug: 'acme', role: 'owner', id: `org_${organizationId.slice(-36)}` }
  const me = {
    user: { id: 'usr_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', name: 'Olivia Owner', email: 'olivia@example.com' },
    organizations: [{ ...organization, scopes: [...scopes, 'search:read', 'retrievals:read', 'events:read', 'audit:read'] }],
  }
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/v1/me') outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(me))
    else forward(program.url, token, incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    slug: organization.slug,
    api: new Groundwork({ baseUrl: program.url, token }),
    enter: async () => undefined,
  }
}

function forward(target: string, token: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { pathname, search } = new URL(incoming.url ?? '/', target)
  const { origin: _origin, 'groundwork-organization': _organization, ...headers } = incoming.headers
  const authorization = pathname.startsWith('/v1/') ? { authorization: `Bearer ${token}` } : {}
  const onward = ask(new URL(`${pathname}${search}`, target), { method: incoming.method, headers: { ...headers, ...authorization } })
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
