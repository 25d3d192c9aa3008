import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LoopbackIssuer {
  host: string
  /** Environment variables that configure the server to use this issuer. */
  settings: Record<string, string>
  close(): Promise<void>
}

interface Grant {
  nonce: string
  challenge: string
  email: string
  verified: boolean
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Starts a minimal OpenID Connect issuer. Its sign-in page accepts any email address. */
export async function loopbackIssuer(): Promise<LoopbackIssuer> {
  const grants = new Map<string, Grant>()
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `http://${host}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer)
    const json = (body: object): void => void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (pathname === '/.well-known/openid-configuration') {
      const [authorize, token, keys] = ['/authorize', '/token', '/keys'].map((path) => `${issuer}${path}`)
      json({ issuer, authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys })
    } else if (pathname === '/keys') json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] })
    else if (pathname === '/authorize') response.setHeader('content-type', 'text/html').end(page(searchParams))
    else if (pathname === '/enter') response.writeHead(302, { location: enter(searchParams) }).end()
    else if (pathname === '/token') json(redeem(new URLSearchParams((await request.toArray()).join(''))))
    else response.writeHead(404).end()
  }

  function enter(form: URLSearchParams): string {
    const field = (name: string): string => form.get(name) ?? ''
    const code = randomUUID()
    grants.set(code, {
      nonce: field('nonce'),
      challenge: field('code_challenge'),
      email: field('email'),
      verified: field('verified') === 'on',
    })
    const answer = form.has('deny') ? { error: 'access_denied' } : { code }
    return `${field('redirect_uri')}?${new URLSearchParams({ ...answer, state: field('state') }).toString()}`
  }

  function redeem(form: URLSearchParams): object {
    const grant = grants.get(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    if (grant === undefined || createHash('sha256').update(verifier).digest('base64url') !== grant.challenge)
      return { error: 'invalid_grant' }
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: 'groundwork', iat: now, exp: now + 300, nonce: grant.nonce }
    const person = { sub: grant.email, email: grant.email, email_verified: grant.verified, name: 'Ida Issued' }
    const signed = `${base64url({ alg: 'RS256', kid: 'k' })}.${base64url({ ...claims, ...person })}`
    return {
      token_type: 'Bearer',
      access_token: 'x',
      id_token: `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`,
    }
  }

  return {
    host,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'groundwork', OIDC_CLIENT_SECRET: 'a shared secret' },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const forwarded = ['state', 'nonce', 'code_challenge', 'redirect_uri']

const page = (query: URLSearchParams): string => `<!doctype html><html lang="en"><title>Enter</title><form action="/enter">
  ${forwarded.map((name) => `<input type="hidden" name="${name}" value="${encodeURI(query.get(name) ?? '')}">`).join('')}
  <label>Who are you? <input name="email"></label><label><input type="checkbox" name="verified" checked> Verified</label>
  <button>Enter</button><button name="deny" value="on">Turn back</button></form>`
