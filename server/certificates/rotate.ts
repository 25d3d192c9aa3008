import type { Pool } from 'pg'
import { ownerTransaction } from '../db/owner-transaction.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import { newSigningKey } from './signing-key.ts'

export interface Rotation {
  /** Id of the new key. */
  readonly id: string
  /** Id of the key that it replaces; null if there was none. */
  readonly retired: string | null
}

/**
 * Replaces the signing key: new certificates are signed with a new key. The public part of the former key remains, its private part
 * is deleted. Waits for certificates that are being issued.
 */
export function rotateSigningKey(pool: Pool, { secretKey, now }: { secretKey: SecretKeys; now: () => Date }): Promise<Rotation> {
  return ownerTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from installation.signing_key where retired_at is null for update')
    const retired = rows[0]?.id ?? null
    // A key is never retired before its newest certificate, even if the clock was set back.
    const { rows: times } = await client.query<{ at: Date }>(
      'select greatest($1::timestamptz, max(issued_at)) as at from certificate where key_id = $2',
      [now(), retired],
    )
    const at = times[0]?.at
    const { id, publicKey, sealedPrivateKey } = newSigningKey(secretKey)
    await client.query('update installation.signing_key set retired_at = $1, sealed_private_key = null where id = $2', [at, retired])
    await client.query('insert into installation.signing_key (id, public_key, sealed_private_key, created_at) values ($1, $2, $3, $4)', [
      id,
      publicKey,
      sealedPrivateKey,
      at,
    ])
    return { id, retired }
  })
}
