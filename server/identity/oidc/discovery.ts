import { z } from 'zod'
import type { IssuerFetch } from './issuer-fetch.ts'
import { OidcError } from './oidc-error.ts'

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
})
export type Discovery = z.output<typeof Discovery>

/** Discovery documents are cached this long, since an issuer may change its endpoints. */
const cacheMs = 3_600_000

/**
 * Returns a function that reads the discovery document (OpenID Connect Discovery 1.0), cached for an hour. It throws OidcError
 * `issuer_unavailable`.
 */
export function createDiscovery(issuerFetch: IssuerFetch, issuer: string, now: () => Date): () => Promise<Discovery> {
  let known: { until: number; document: Promise<Discovery> } | undefined
  return () => {
    const at = now().getTime()
    if (known === undefined || at >= known.until) {
      const document = discover(issuerFetch, issuer)
      known = { until: at + cacheMs, document }
      document.catch(() => (known = undefined))
    }
    return known.document
  }
}

async function discover(issuerFetch: IssuerFetch, issuer: string): Promise<Discovery> {
  const base = withoutSlash(issuer)
  const url = `${base}/.well-known/openid-configuration`
  const { status, json } = await issuerFetch(url)
  const { data, error } = Discovery.safeParse(json)
  if (status !== 200 || data === undefined)
    throw new OidcError('issuer_unavailable', `${url} is not a discovery document (status ${status})`, error)
  if (withoutSlash(data.issuer) !== base)
    throw new OidcError('issuer_unavailable', `OIDC_ISSUER is ${issuer}, but the issuer identifies itself as ${data.issuer}`)
  const { protocol } = new URL(issuer)
  for (const endpoint of [data.authorization_endpoint, data.token_endpoint, data.jwks_uri, data.userinfo_endpoint ?? issuer]) {
    // An issuer on https must not redirect to plain http, and `javascript:` URLs are no endpoints.
    if (![protocol, 'https:'].includes(new URL(endpoint).protocol))
      throw new OidcError('issuer_unavailable', `the endpoint ${endpoint} must use https like the issuer ${issuer}`)
  }
  return data
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')
