import { sql } from 'kysely'
import type { CoreServices } from '../context.ts'
import { toJwk } from './signing-key.ts'

/** A public key that verifies certificates, as a JWK (RFC 7517, RFC 8037) with the time of its use. */
export interface PublicSigningKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  /** The public key in base64url. */
  readonly x: string
  /** The JWK thumbprint (RFC 7638), `keyId` in certificates. */
  readonly kid: string
  readonly use: 'sig'
  readonly createdAt: string
  /** Null for the current key. */
  readonly retiredAt: string | null
}

interface Row {
  id: string
  public_key: Buffer
  created_at: Date
  retired_at: Date | null
}

/** Returns the public keys of all certificates of the installation as a JWK Set, oldest first. Empty before the first certificate. */
export async function publicSigningKeys(services: CoreServices): Promise<{ keys: PublicSigningKey[] }> {
  // oxlint-disable-next-line no-restricted-properties -- the keys belong to no organization, and no secret is presented
  const { rows } = await services.db.presenting({ kind: 'setup_hash', value: Buffer.alloc(0) }, (trx) =>
    sql<Row>`select * from public_signing_keys()`.execute(trx),
  )
  return {
    keys: rows.map(({ id, public_key: publicKey, created_at: createdAt, retired_at: retiredAt }) => ({
      ...toJwk(publicKey),
      kid: id,
      use: 'sig',
      createdAt: createdAt.toISOString(),
      retiredAt: retiredAt?.toISOString() ?? null,
    })),
  }
}
