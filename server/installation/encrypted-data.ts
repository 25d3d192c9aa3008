import type { OwnerQuery } from '../db/owner-query.ts'
import { opensSecondFactor } from '../identity/second-factor.ts'
import { openSecret } from '../webhooks/secret.ts'

/** A secret that the database keeps encrypted under the secret key for as long as its owner exists. */
export type Encrypted =
  | { readonly kind: 'webhook endpoint'; readonly id: string; readonly organizationId: string; readonly secret: Buffer }
  | { readonly kind: 'second factor'; readonly id: string; readonly secret: string }

/** Reads as the owner of the schema, across organizations. Kept replies to repeated requests are left out: they end by themselves. */
export async function readEncrypted(query: OwnerQuery): Promise<readonly Encrypted[]> {
  const endpoints = await query<{ id: string; organizationId: string; secret: Buffer }>(
    'select id, organization_id as "organizationId", secret from webhook_endpoint order by id',
  )
  const factors = await query<{ id: string; secret: string }>('select id, secret from identity.two_factor order by id')
  return [
    ...endpoints.map((row) => ({ kind: 'webhook endpoint' as const, ...row })),
    ...factors.map((row) => ({ kind: 'second factor' as const, ...row })),
  ]
}

/** Returns those that the key does not decrypt. */
export async function unreadableWith(secretKey: string, encrypted: readonly Encrypted[]): Promise<readonly Encrypted[]> {
  const readable = await Promise.all(encrypted.map((each) => isReadable(secretKey, each)))
  return encrypted.filter((_, at) => readable[at] !== true)
}

async function isReadable(secretKey: string, encrypted: Encrypted): Promise<boolean> {
  if (encrypted.kind === 'second factor') return opensSecondFactor(secretKey, encrypted.secret)
  try {
    openSecret(encrypted.secret, { secretKey, organizationId: encrypted.organizationId, endpointId: encrypted.id })
    return true
  } catch {
    // Whatever the reason, the secret is lost to this key.
    return false
  }
}
