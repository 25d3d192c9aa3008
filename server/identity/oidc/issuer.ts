import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { asker, type Ask } from './ask.ts'
import { discoverer, type Discovery } from './discovery.ts'
import { OidcRefusal } from './refusal.ts'

export interface OidcSettings {
  /** As the issuer calls itself: the address that `/.well-known/openid-configuration` is added to. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What the issuer says of who signed in there, verified. */
export interface OidcPerson {
  /** The issuer and its name for the person: two issuers may use the same names. */
  readonly accountId: string
  readonly name: string
  /** Lower case. */
  readonly email: string
  readonly emailVerified: boolean
}

export interface Issuer {
  /** What people know it by. */
  readonly host: string
  /** Where the browser is sent. @throws OidcRefusal */
  authorizationUrl(flow: { state: string; nonce: string; codeVerifier: string; redirectUri: string }): Promise<string>
  /** Turns the code that the browser brought back into a person. @throws OidcRefusal */
  redeem(flow: { code: string; nonce: string; codeVerifier: string; redirectUri: string; iss: string | undefined }): Promise<OidcPerson>
}

/** By a key of the issuer's own: none that the client secret could make, and never `none`. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const clockToleranceSeconds = 60

type Verified = JWTPayload & { sub: string }

const Tokens = z.object({ id_token: z.string(), access_token: z.string().optional() })

/** OpenID Connect Core 1.0, code flow with PKCE (RFC 7636), a nonce, and the issuer's name in the answer where it gives it (RFC 9207). */
export function openIssuer(
  { issuer, clientId, clientSecret }: OidcSettings,
  { outbound, now }: { outbound: Pick<Outbound, 'fetch' | 'trustedFetch'>; now: () => Date },
): Issuer {
  const ask = asker(outbound, issuer)
  const discover = discoverer(ask, issuer, now)
  const keys = keysOf(ask)

  async function tokensFor(document: Discovery, flow: { code: string; codeVerifier: string; redirectUri: string }) {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: flow.code,
      redirect_uri: flow.redirectUri,
      code_verifier: flow.codeVerifier,
    })
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
    if (document.token_endpoint_auth_methods_supported.includes('client_secret_basic')) {
      headers['authorization'] = `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')}`
    } else {
      form.set('client_id', clientId)
      form.set('client_secret', clientSecret)
    }
    const { status, json } = await ask(document.token_endpoint, { method: 'POST', headers, body: form.toString() })
    const { data } = Tokens.safeParse(json)
    if (status !== 200 || data === undefined)
      throw new OidcRefusal('not_believed', `the issuer gave no token for the code (${status}): ${faultIn(json)}`)
    return data
  }

  async function verified(document: Discovery, idToken: string, nonce: string): Promise<Verified> {
    const { payload } = await jwtVerify<{ sub: string }>(idToken, keys(document.jwks_uri), {
      issuer: document.issuer,
      audience: clientId,
      algorithms,
      requiredClaims: ['sub', 'iat', 'exp'],
      clockTolerance: clockToleranceSeconds,
      currentDate: now(),
    }).catch((error: unknown) => {
      throw error instanceof OidcRefusal ? error : new OidcRefusal('not_believed', 'the id_token is not valid', error)
    })
    if (payload['nonce'] !== nonce) throw new OidcRefusal('not_believed', 'the id_token is of another sign-in')
    const forSeveral = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((payload['azp'] ?? (forSeveral ? undefined : clientId)) !== clientId)
      throw new OidcRefusal('not_believed', 'the id_token was given to another client')
    return payload
  }

  /** What the id_token leaves out is asked for. */
  async function completed(document: Discovery, claims: Verified, accessToken: string | undefined): Promise<JWTPayload> {
    const complete = claims['email'] !== undefined && claims['email_verified'] !== undefined
    if (complete || document.userinfo_endpoint === undefined || accessToken === undefined) return claims
    const { status, json } = await ask(document.userinfo_endpoint, { headers: { authorization: `Bearer ${accessToken}` } })
    const { data } = z.looseObject({ sub: z.literal(claims.sub) }).safeParse(json)
    if (status !== 200 || data === undefined) throw new OidcRefusal('not_believed', `the issuer does not say who it was (${status})`)
    // Address and verification are one statement: never half of each.
    return { ...data, ...claims, email: data['email'], email_verified: data['email_verified'] }
  }

  return {
    host: new URL(issuer).host,
    async authorizationUrl({ state, nonce, codeVerifier, redirectUri }) {
      const url = new URL((await discover()).authorization_endpoint)
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
      return url.href
    },
    async redeem({ iss, nonce, ...flow }) {
      const document = await discover()
      if (iss === undefined ? document.authorization_response_iss_parameter_supported : iss !== document.issuer)
        throw new OidcRefusal('not_believed', `the answer is of ${iss ?? 'an unknown issuer'}`)
      const { id_token: idToken, access_token: accessToken } = await tokensFor(document, flow)
      const claims = await completed(document, await verified(document, idToken, nonce), accessToken)
      return personIn(document.issuer, claims)
    },
  }
}

/** The issuer's keys, asked for through the same door; they are remembered, and asked for again when a new one signs. */
function keysOf(ask: Ask): (url: string) => JWTVerifyGetKey {
  let known: { url: string; keys: JWTVerifyGetKey } | undefined
  return (url) => {
    if (known?.url !== url) {
      const keys = createRemoteJWKSet(new URL(url), {
        [customFetch]: async (address) => {
          const { status, json } = await ask(address)
          if (status !== 200) throw new OidcRefusal('issuer_unavailable', `${address} gave no keys (${status})`)
          return Response.json(json)
        },
      })
      known = { url, keys }
    }
    return known.keys
  }
}

function personIn(issuer: string, claims: JWTPayload): OidcPerson {
  const { data } = z.email().max(254).safeParse(String(claims['email']).trim().toLowerCase())
  const name = [claims['name'], `${textIn(claims['given_name'])} ${textIn(claims['family_name'])}`, data].map(textIn).find(Boolean)
  return {
    accountId: `${issuer} ${claims.sub}`,
    name: (name ?? '').slice(0, 200),
    email: data ?? '',
    emailVerified: data !== undefined && claims['email_verified'] === true,
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** As RFC 6749 wants both halves of the header Authorization. */
const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

const faultIn = (json: unknown): string => {
  const { data } = z.object({ error: z.string() }).safeParse(json)
  return (data?.error ?? 'no reason').slice(0, 200)
}
