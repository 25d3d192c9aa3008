import type { Usage } from '@groundwork/api'
import { wireId } from '@groundwork/api'
import type { Pool, PoolClient } from 'pg'
import { ownerTransaction } from '../db/owner-transaction.ts'
import { formatByteSize, parseByteSize } from '../lib/byte-size.ts'
import { UsageError } from '../lib/usage-error.ts'
import { auditByOperator } from './audit.ts'

/** Options of the command; undefined leaves a quota as it is. */
export interface QuotaOptions {
  readonly storage?: string | undefined
  readonly chunks?: string | undefined
  readonly sources?: string | undefined
}

const columns = { storage: 'storage_quota', chunks: 'chunk_quota', sources: 'source_quota' } as const
type Kind = keyof typeof columns
const kinds = Object.keys(columns) as Kind[]

/** The use of an organization, and which of its limits are its own rather than the default. */
export interface OrganizationQuota extends Usage {
  /** With the prefix `org_`. */
  readonly id: string
  readonly own: Readonly<Record<keyof Usage, boolean>>
}

/**
 * Changes the given quotas, and returns the use and the limits.
 * @throws UsageError that names an invalid option
 */
export function changeQuota(pool: Pool, organizationId: string, options: QuotaOptions, now: Date): Promise<OrganizationQuota> {
  const changes = kinds.flatMap((kind) => (options[kind] === undefined ? [] : [[kind, readQuota(kind, options[kind])] as const]))
  return ownerTransaction(pool, async (client) => {
    if (changes.length > 0) {
      await client.query('insert into organization_use (organization_id) values ($1) on conflict do nothing', [organizationId])
      const assignments = changes.map(([kind], at) => `${columns[kind]} = $${at + 2}`)
      await client.query(`update organization_use set ${assignments.join(', ')} where organization_id = $1`, [
        organizationId,
        ...changes.map(([, value]) => value),
      ])
      const target = wireId('org', organizationId)
      await auditByOperator(client, organizationId, now, { action: 'organization.quota_updated', target })
    }
    return readQuotas(client, organizationId)
  })
}

/** Returns the column: null for the default, -1 for no limit. */
function readQuota(kind: Kind, text: string): number | null {
  if (text === 'default') return null
  if (text === 'none') return -1
  try {
    if (kind === 'storage') return parseByteSize(text)
    if (/^\d{1,12}$/.test(text)) return Number(text)
    throw new Error('must be a number')
  } catch (error) {
    throw new UsageError(`--${kind} ${(error as Error).message}, or "none" for no limit, or "default".`, { cause: error })
  }
}

type Row = Record<'storage' | 'chunks' | 'sources', number> & Record<`${Kind}Limit`, number | null> & Record<`${Kind}Own`, boolean>

async function readQuotas(client: Pick<PoolClient, 'query'>, organizationId: string): Promise<OrganizationQuota> {
  const { rows } = await client.query<Row>(
    `select coalesce(u.storage_bytes, 0) as storage, coalesce(u.chunks, 0) as chunks, coalesce(u.sources, 0) as sources,
       quota_in_effect(u.storage_quota, d.storage_bytes) as "storageLimit", u.storage_quota is not null as "storageOwn",
       quota_in_effect(u.chunk_quota, d.chunks) as "chunksLimit", u.chunk_quota is not null as "chunksOwn",
       quota_in_effect(u.source_quota, d.sources) as "sourcesLimit", u.source_quota is not null as "sourcesOwn"
     from installation.default_quota d left join organization_use u on u.organization_id = $1`,
    [organizationId],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The installation has no row of default quotas.')
  return {
    id: wireId('org', organizationId),
    storageBytes: { used: row.storage, limit: row.storageLimit },
    chunks: { used: row.chunks, limit: row.chunksLimit },
    sources: { used: row.sources, limit: row.sourcesLimit },
    own: { storageBytes: row.storageOwn, chunks: row.chunksOwn, sources: row.sourcesOwn },
  }
}

/** Returns one line for each resource. */
export function quotaLines({ storageBytes, chunks, sources, own }: OrganizationQuota): string {
  const line = (name: string, { used, limit }: Usage['chunks'], isOwn: boolean, format: (value: number) => string): string =>
    `${name}  ${format(used)} of ${limit === null ? 'unlimited' : format(limit)}${isOwn ? '' : ' (default)'}`
  return [
    line('storage', storageBytes, own.storageBytes, formatByteSize),
    line('chunks', chunks, own.chunks, String),
    line('sources', sources, own.sources, String),
  ].join('\n')
}
