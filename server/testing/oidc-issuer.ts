import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OidcSettings } from '../identity/oidc/issuer.ts'

export interface TestIssuer extends OidcSettings {
  /** Claims of the next user who signs in; undefined ones are left out. `at` is the endpoint that returns them. */
  person: { claims: Readonly<Record<string, unknown>>; at: 'token' | 'userinfo' }
  /** A fault of all further responses. */
  fault: 'nonce' | 'signature' | 'unsigned' | 'audience' | 'other-client' | 'issuer' | 'expired' | 'denied' | 'subject' | 'down' | null
  /** Signs the user in. Returns the URL that the browser is redirected to. */
  visit(authorizationUrl: string): Promise<string>
  close(): Promise<void>
}

interface Grant {
  nonce: string
  challenge: string
  redirectUri: string
}

/** Starts an OpenID Connect issuer on loopback that validates requests strictly and can inject faults. */
export async function testIssuer(): Promise<TestIssuer> {
  const [own, other] = await Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')])
  const publicKey = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const grants = new Map<string, Grant>()
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer: TestIssuer = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'groundwork & co',
    clientSecret: 'a secret: of both',
    person: { claims: {}, at: 'token' },
    fault: null,
    async visit(authorizationUrl) {
      const response = await ask(authorizationUrl)
      const address = response.headers.get('location')
      if (address === null) throw new Error(`the issuer refused: ${await response.text()}`)
      return address
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer.issuer)
    const answer = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers }).end(JSON.stringify(body))
    }
    if (issuer.fault === 'down') return answer(502, {})
    if (pathname === '/.well-known/openid-configuration') return answer(200, description(issuer.issuer))
    if (pathname === '/jwks') return answer(200, { keys: [publicKey] })
    if (pathname === '/authorize') return authorize(searchParams, answer)
    if (pathname === '/token') return answer(...(await token(request)))
    if (pathname === '/userinfo' && request.headers.authorization === 'Bearer opaque')
      return answer(200, { ...issuer.person.claims, ...(issuer.fault === 'subject' && { sub: 'somebody else' }) })
    return answer(404, {})
  }

  function authorize(query: URLSearchParams, answer: (status: number, body: object, headers?: Record<string, string>) => void): void {
    const [nonce, challenge, redirectUri] = ['nonce', 'code_challenge', 'redirect_uri'].map((name) => query.get(name) ?? '')
    const wanted = { response_type: 'code', client_id: issuer.clientId, code_challenge_method: 'S256', scope: 'openid email profile' }
    if (Object.entries(wanted).some(([name, value]) => query.get(name) !== value) || !nonce || !challenge || !redirectUri)
      return answer(400, { error: 'invalid_request' })
    const code = randomUUID()
    grants.set(code, { nonce, challenge, redirectUri })
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    if (issuer.fault === 'denied') back.searchParams.set('error', 'access_denied')
    else back.searchParams.set('code', code)
    return answer(302, {}, { location: back.href })
  }

  async function token(request: IncomingMessage): Promise<[number, object]> {
    const form = new URLSearchParams((await request.toArray()).join(''))
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const client = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    if (client !== 'groundwork+%26+co:a+secret%3A+of+both') return [401, { error: 'invalid_client' }]
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) return [400, { error: 'invalid_grant' }]
    return [200, { access_token: 'opaque', token_type: 'Bearer', id_token: await idToken(grant) }]
  }

  async function idToken({ nonce }: Grant): Promise<string> {
    const { fault, person, clientId } = issuer
    const payload = {
      ...(person.at === 'token' ? person.claims : { sub: person.claims['sub'] }),
      nonce: fault === 'nonce' ? 'another' : nonce,
      ...(fault === 'other-client' && { azp: 'another' }),
    }
    if (fault === 'unsigned') {
      const halves = [{ alg: 'none' }, { ...payload, iss: issuer.issuer, aud: clientId, iat: 1, exp: 4e9 }]
      return `${halves.map((half) => Buffer.from(JSON.stringify(half)).toString('base64url')).join('.')}.`
    }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(fault === 'issuer' ? 'https://elsewhere.example' : issuer.issuer)
      .setAudience(fault === 'audience' ? 'another' : clientId)
      .setIssuedAt(fault === 'expired' ? '1 hour ago' : undefined)
      .setExpirationTime(fault === 'expired' ? '2 minutes ago' : '5 minutes')
      .sign(fault === 'signature' ? other.privateKey : own.privateKey)
  }

  return issuer
}

const description = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  userinfo_endpoint: `${issuer}/userinfo`,
})

/** Sends a request without following redirects. */
const ask = (url: string): Promise<Response> => fetch(url, { redirect: 'manual' })
