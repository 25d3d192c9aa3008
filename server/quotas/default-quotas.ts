import type { OwnerQuery } from '../db/owner-query.ts'

/** Quotas of an organization; null for no limit. */
export interface Quotas {
  readonly storageBytes: number | null
  readonly chunks: number | null
  readonly sources: number | null
}

/** Stores the quotas of organizations without their own, where the triggers that enforce them read them. */
export async function storeDefaultQuotas(query: OwnerQuery, { storageBytes, chunks, sources }: Quotas): Promise<void> {
  await query(
    `update installation.default_quota set storage_bytes = $1, chunks = $2, sources = $3
     where (storage_bytes, chunks, sources) is distinct from ($1, $2, $3)`,
    [storageBytes, chunks, sources],
  )
}
