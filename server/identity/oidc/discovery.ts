import { z } from 'zod'
import type { Ask } from './ask.ts'
import { OidcRefusal } from './refusal.ts'

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

/** Read again after so long, since an issuer may move its endpoints. */
const keptMs = 3_600_000

/** The issuer's own description (OpenID Connect Discovery 1.0), remembered for an hour. @throws OidcRefusal `issuer_unavailable` */
export function discoverer(ask: Ask, issuer: string, now: () => Date): () => Promise<Discovery> {
  let known: { until: number; document: Promise<Discovery> } | undefined
  return () => {
    const at = now().getTime()
    if (known === undefined || at >= known.until) {
      const document = discover(ask, issuer)
      known = { until: at + keptMs, document }
      document.catch(() => (known = undefined))
    }
    return known.document
  }
}

async function discover(ask: Ask, issuer: string): Promise<Discovery> {
  const base = withoutSlash(issuer)
  const url = `${base}/.well-known/openid-configuration`
  const { status, json } = await ask(url)
  const { data, error } = Discovery.safeParse(json)
  if (status !== 200 || data === undefined) throw new OidcRefusal('issuer_unavailable', `${url} tells of no issuer (${status})`, error)
  if (withoutSlash(data.issuer) !== base)
    throw new OidcRefusal('issuer_unavailable', `OIDC_ISSUER is ${issuer}, but it calls itself ${data.issuer}`)
  const { protocol } = new URL(issuer)
  for (const endpoint of [data.authorization_endpoint, data.token_endpoint, data.jwks_uri, data.userinfo_endpoint ?? issuer]) {
    // Who is asked by https for where to go is not sent on without it; and no script is an address.
    if (![protocol, 'https:'].includes(new URL(endpoint).protocol))
      throw new OidcRefusal('issuer_unavailable', `${endpoint} is less safe than ${issuer}`)
  }
  return data
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')
