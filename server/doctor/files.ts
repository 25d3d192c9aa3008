import type { Storage } from '../storage/storage.ts'
import type { Finding } from './checks.ts'
import type { OwnerQuery } from '../db/owner-query.ts'

/** Age after which an unfinished file is considered abandoned. */
const maxWriteSeconds = 3600

/**
 * Returns files without a row, unfinished writes, and rows without their file. A file is written before its row, so files younger than
 * `graceSeconds` are not reported.
 */
export async function checkFiles(
  query: OwnerQuery,
  storage: Storage,
  { now, graceSeconds }: { now: Date; graceSeconds: number },
): Promise<Finding[]> {
  const files = new Map<string, Date>()
  for await (const { key, modifiedAt } of storage.files()) files.set(key, modifiedAt)
  const known = new Set(
    (
      await query<{ key: string }>(
        `select storage_key as key from upload union select storage_key || '.sent' from upload where received_at is null union select original_key from document where original_key is not null
         union select content_key from document where content_key is not null
         union select content_key from source_page where content_key is not null union select storage_key from proposal_file
         union select logo->>'key' from organization where logo is not null union select storage_key from index_copy`,
      )
    ).map(({ key }) => key),
  )
  const findings: Finding[] = []
  for (const [key, modifiedAt] of files) {
    const grace = key.endsWith('.part') ? Math.max(graceSeconds, maxWriteSeconds) : graceSeconds
    if (known.has(key) || modifiedAt.getTime() > now.getTime() - grace * 1000) continue
    findings.push({
      check: 'orphan_file',
      organizationId: key.split('/')[0] ?? '',
      subject: key,
      detail: 'no database row refers to this file',
    })
  }
  const receiving = new Set(
    (await query<{ id: string }>('select parts_id as id from upload where parts_id is not null')).map(({ id }) => id),
  )
  for await (const { key, id, startedAt } of storage.unfinishedWrites()) {
    if (receiving.has(id)) continue
    if (startedAt.getTime() > now.getTime() - Math.max(graceSeconds, maxWriteSeconds) * 1000) continue
    findings.push({
      check: 'unfinished_write',
      organizationId: key.split('/')[0] ?? '',
      subject: `${key} ${id}`,
      detail: 'the storage has parts of a file whose write did not end',
    })
  }
  const referred = await query<{ organizationId: string; source: string; key: string }>(
    `select organization_id as "organizationId", source_id::text as source, unnest(array[original_key, content_key]) as key from document`,
  )
  const attached = await query<{ organizationId: string; source: string; key: string }>(
    `select organization_id as "organizationId", proposal_id::text as source, storage_key as key from proposal_file
     union all select id, id::text, logo->>'key' from organization where logo is not null`,
  )
  for (const { organizationId, source, key } of [...referred, ...attached]) {
    if (key === null || files.has(key) || (await storage.exists(key))) continue
    findings.push({ check: 'missing_file', organizationId, subject: source, detail: `the file ${key} is missing` })
  }
  return findings
}
