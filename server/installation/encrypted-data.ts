import type { OwnerQuery } from '../db/owner-query.ts'
import { canDecryptSecondFactor } from '../identity/second-factor.ts'
import { openSecret } from '../webhooks/secret.ts'

/** A secret that is stored encrypted under the secret key. */
export type Encrypted =
  | { readonly kind: 'webhook endpoint'; readonly id: string; readonly organizationId: string; readonly secret: Buffer }
  | { readonly kind: 'second factor'; readonly id: string; readonly secret: string }

/**
 * Reads all encrypted secrets across organizations, as the owner of the schema. Leaves out stored responses of requests with
 * Idempotency-Key, which expire within a day.
 */
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

/** Returns the secrets that the key does not decrypt. */
export async function unreadableWith(secretKey: string, encrypted: readonly Encrypted[]): Promise<readonly Encrypted[]> {
  const readable = await Promise.all(encrypted.map((each) => isReadable(secretKey, each)))
  return encrypted.filter((_, at) => readable[at] !== true)
}

async function isReadable(secretKey: string, encrypted: Encrypted): Promise<boolean> {
  if (encrypted.kind === 'second factor') return canDecryptSecondFactor(secretKey, encrypted.secret)
  try {
    openSecret(encrypted.secret, { secretKey, organizationId: encrypted.organizationId, endpointId: encrypted.id })
    return true
  } catch {
    // Any failure means that this key cannot read the secret.
    return false
  }
}
