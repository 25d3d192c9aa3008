import type { OwnerQuery } from '../db/owner-query.ts'
import type { ExportedSigningKey } from './format.ts'

/** Returns the public keys that signed certificates of an organization. */
export const readSigningKeys = (query: OwnerQuery, organizationId: string): Promise<ExportedSigningKey[]> =>
  query<ExportedSigningKey>(
    `select id, encode(public_key, 'base64') as "publicKey", to_json(created_at) #>> '{}' as "createdAt",
       to_json(retired_at) #>> '{}' as "retiredAt"
     from installation.signing_key where id in (select key_id from certificate where organization_id = $1) order by created_at, id`,
    [organizationId],
  )

/**
 * Adds public keys as retired ones, so that the certificates in the database can still be verified and nothing new is signed with
 * them. A key that the target has stays; one that was added as retired is retired no earlier than its last certificate.
 */
export async function addSigningKeys(query: OwnerQuery, keys: readonly ExportedSigningKey[], exportedAt: string): Promise<void> {
  for (const { id, publicKey, createdAt, retiredAt } of keys) {
    await query(
      `insert into installation.signing_key as k (id, public_key, sealed_private_key, created_at, retired_at)
       values ($1, decode($2, 'base64'), null, $3, greatest($4::timestamptz, (select max(issued_at) from certificate where key_id = $1)))
       on conflict (id) do update set retired_at = greatest(k.retired_at, excluded.retired_at) where k.retired_at is not null`,
      [id, publicKey, createdAt, retiredAt ?? exportedAt],
    )
  }
}
