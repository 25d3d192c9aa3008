import type { Usage } from '@groundwork/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'

interface Row {
  readonly storageBytes: number
  readonly chunks: number
  readonly sources: number
  readonly storageQuota: number | null
  readonly chunkQuota: number | null
  readonly sourceQuota: number | null
}

/** Returns the use of the transaction's organization, with the quotas in effect. */
export async function readUsage(trx: Transaction): Promise<Usage> {
  const { rows } = await sql<Row>`select storage_bytes as "storageBytes", chunks, sources, storage_quota as "storageQuota",
    chunk_quota as "chunkQuota", source_quota as "sourceQuota" from own_use()`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('the installation has no row of default quotas')
  return {
    storageBytes: { used: row.storageBytes, limit: row.storageQuota },
    chunks: { used: row.chunks, limit: row.chunkQuota },
    sources: { used: row.sources, limit: row.sourceQuota },
  }
}

/** Returns whether the actor may see the use of the whole organization: tokens that are limited to knowledge bases may not. */
export const maySeeUsage = ({ actor }: Context): boolean => (actor?.baseIds ?? null) === null
