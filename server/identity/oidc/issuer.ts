import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { createIssuerFetch, type IssuerFetch } from './issuer-fetch.ts'
import { createDiscovery, type Discovery } from './discovery.ts'
import { OidcError } from './oidc-error.ts'

export interface OidcSettings {
  /** The issuer identifier: the URL to which `/.well-known/openid-configuration` is appended. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Verified claims about the signed-in user. */
export interface OidcProfile {
  /** Issuer and subject: two issuers may use the same subjects. */
  readonly accountId: string
  readonly name: string
  /** Lower case. */
  readonly email: string
  readonly emailVerified: boolean
}

export interface Issuer {
  /** Shown on the sign-in page. */
  readonly host: string
  /**
   * Returns the URL to redirect the browser to.
   * @throws OidcError
   */
  authorizationUrl(flow: { state: string; nonce: string; codeVerifier: string; redirectUri: string }): Promise<string>
  /**
   * Exchanges the authorization code for the user's profile.
   * @throws OidcError
   */
  redeem(flow: { code: string; nonce: string; codeVerifier: string; redirectUri: string; iss: string | undefined }): Promise<OidcProfile>
}

/** Asymmetric algorithms only: excludes HMAC with the client secret, and `none`. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const clockToleranceSeconds = 60

type IdTokenClaims = JWTPayload & { sub: string }

const Tokens = z.object({ id_token: z.string(), access_token: z.string().optional() })

/**
 * Implements the authorization code flow of OpenID Connect Core 1.0 with PKCE (RFC 7636), a nonce, and the issuer
 * identification of RFC 9207 if the issuer supports it.
 */
export function openIssuer(
  { issuer, clientId, clientSecret }: OidcSettings,
  { outbound, now }: { outbound: Pick<Outbound, 'fetch' | 'trustedFetch'>; now: () => Date },
): Issuer {
  const issuerFetch = createIssuerFetch(outbound, issuer)
  const discover = createDiscovery(issuerFetch, issuer, now)
  const keys = keysOf(issuerFetch)

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
    const { status, json } = await issuerFetch(document.token_endpoint, { method: 'POST', headers, body: form.toString() })
    const { data } = Tokens.safeParse(json)
    if (status !== 200 || data === undefined) throw new OidcError('not_believed', `the token endpoint answered ${status}: ${errorIn(json)}`)
    return data
  }

  async function verifyIdToken(document: Discovery, idToken: string, nonce: string): Promise<IdTokenClaims> {
    const { payload } = await jwtVerify<{ sub: string }>(idToken, keys(document.jwks_uri), {
      issuer: document.issuer,
      audience: clientId,
      algorithms,
      requiredClaims: ['sub', 'iat', 'exp'],
      clockTolerance: clockToleranceSeconds,
      currentDate: now(),
    }).catch((error: unknown) => {
      throw error instanceof OidcError ? error : new OidcError('not_believed', 'the id_token is not valid', error)
    })
    if (payload['nonce'] !== nonce) throw new OidcError('not_believed', 'the nonce of the id_token belongs to another sign-in')
    const hasSeveralAudiences = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((payload['azp'] ?? (hasSeveralAudiences ? undefined : clientId)) !== clientId)
      throw new OidcError('not_believed', 'the id_token was issued to another client')
    return payload
  }

  /** Adds claims from the UserInfo endpoint if the id_token lacks the email address or its verification. */
  async function withUserInfo(document: Discovery, claims: IdTokenClaims, accessToken: string | undefined): Promise<JWTPayload> {
    const complete = claims['email'] !== undefined && claims['email_verified'] !== undefined
    if (complete || document.userinfo_endpoint === undefined || accessToken === undefined) return claims
    const { status, json } = await issuerFetch(document.userinfo_endpoint, { headers: { authorization: `Bearer ${accessToken}` } })
    const { data } = z.looseObject({ sub: z.literal(claims.sub) }).safeParse(json)
    if (status !== 200 || data === undefined)
      throw new OidcError('not_believed', `the UserInfo endpoint answered ${status} or for another subject`)
    // `email` and `email_verified` belong together, so both come from the same response.
    return { ...data, ...claims, email: data['email'], email_verified: data['email_verified'] }
  }

  return {
    host: new URL(issuer).host,
    async authorizationUrl({ state, nonce, codeVerifier, redirectUri }) {
      const url = new URL((await discover()).authorization_endpoint)
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    async redeem({ iss, nonce, ...flow }) {
      const document = await discover()
      if (iss === undefined ? document.authorization_response_iss_parameter_supported : iss !== document.issuer)
        throw new OidcError('not_believed', `the authorization response comes from ${iss ?? 'an unknown issuer'}`)
      const { id_token: idToken, access_token: accessToken } = await tokensFor(document, flow)
      const claims = await withUserInfo(document, await verifyIdToken(document, idToken, nonce), accessToken)
      return profileFromClaims(document.issuer, claims)
    },
  }
}

/** Caches the issuer's JSON Web Key Set, fetched through `issuerFetch`. jose fetches it again when it meets an unknown key id. */
function keysOf(issuerFetch: IssuerFetch): (url: string) => JWTVerifyGetKey {
  let known: { url: string; keys: JWTVerifyGetKey } | undefined
  return (jwksUri) => {
    if (known?.url !== jwksUri) {
      const keys = createRemoteJWKSet(new URL(jwksUri), {
        [customFetch]: async (url) => {
          const { status, json } = await issuerFetch(url)
          if (status !== 200) throw new OidcError('issuer_unavailable', `${url} returned no keys (status ${status})`)
          return Response.json(json)
        },
      })
      known = { url: jwksUri, keys }
    }
    return known.keys
  }
}

function profileFromClaims(issuer: string, claims: JWTPayload): OidcProfile {
  const { data } = z.email().max(254).safeParse(String(claims['email']).trim().toLowerCase())
  const name = [claims['name'], `${trimmedText(claims['given_name'])} ${trimmedText(claims['family_name'])}`, data]
    .map(trimmedText)
    .find(Boolean)
  return {
    accountId: `${issuer} ${claims.sub}`,
    name: (name ?? '').slice(0, 200),
    email: data ?? '',
    emailVerified: data !== undefined && claims['email_verified'] === true,
  }
}

const trimmedText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Form-encodes client id and secret for HTTP Basic (RFC 6749, section 2.3.1). */
const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

const errorIn = (json: unknown): string => {
  const { data } = z.object({ error: z.string() }).safeParse(json)
  return (data?.error ?? 'no error code').slice(0, 200)
}
