import type { OwnerQuery } from '../db/owner-query.ts'
import { openSigningKey } from '../certificates/signing-key.ts'
import { canDecryptSecondFactor } from '../identity/second-factor.ts'
import { openPdfSigner } from '../pdf/signer.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import { openSecret } from '../webhooks/secret.ts'

/** A secret that is stored encrypted under the secret key. */
export type Encrypted =
  | { readonly kind: 'webhook endpoint'; readonly id: string; readonly organizationId: string; readonly secret: Buffer }
  | { readonly kind: 'second factor'; readonly id: string; readonly secret: string }
  | { readonly kind: 'signing key'; readonly id: string; readonly secret: Buffer }
  | { readonly kind: 'PDF signer'; readonly id: string; readonly secret: Buffer }

/**
 * Reads all encrypted secrets across organizations, as the owner of the schema. Leaves out stored responses of requests with
 * Idempotency-Key, which expire within a day.
 */
export async function readEncrypted(query: OwnerQuery): Promise<readonly Encrypted[]> {
  const endpoints = await query<{ id: string; organizationId: string; secret: Buffer }>(
    'select id, organization_id as "organizationId", secret from webhook_endpoint order by id',
  )
  const factors = await query<{ id: string; secret: string }>('select id, secret from identity.two_factor order by id')
  const keys = await query<{ id: string; secret: Buffer }>(
    'select id, sealed_private_key as secret from installation.signing_key where retired_at is null',
  )
  const signers = await query<{ secret: Buffer }>('select sealed_p12 as secret from installation.pdf_signer')
  return [
    ...endpoints.map((row) => ({ kind: 'webhook endpoint' as const, ...row })),
    ...factors.map((row) => ({ kind: 'second factor' as const, ...row })),
    ...keys.map((row) => ({ kind: 'signing key' as const, ...row })),
    ...signers.map((row) => ({ kind: 'PDF signer' as const, id: 'pdf_signer', ...row })),
  ]
}

/** Returns the secrets that no accepted key decrypts. */
export async function unreadableWith(secretKey: SecretKeys, encrypted: readonly Encrypted[]): Promise<readonly Encrypted[]> {
  const readable = await Promise.all(encrypted.map((each) => isReadable(secretKey, each)))
  return encrypted.filter((_, at) => readable[at] !== true)
}

async function isReadable(secretKey: SecretKeys, encrypted: Encrypted): Promise<boolean> {
  if (encrypted.kind === 'second factor') return canDecryptSecondFactor(secretKey, encrypted.secret)
  try {
    if (encrypted.kind === 'signing key') openSigningKey(encrypted.secret, { secretKey, id: encrypted.id })
    else if (encrypted.kind === 'PDF signer') openPdfSigner(encrypted.secret, secretKey)
    else openSecret(encrypted.secret, { secretKey, organizationId: encrypted.organizationId, endpointId: encrypted.id })
    return true
  } catch {
    // Any failure means that no key can read the secret.
    return false
  }
}
