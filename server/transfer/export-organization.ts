import { wireId } from '@groundwork/api'
import type { Pool } from 'pg'
import { auditByOperator } from '../administration/audit.ts'
import type { BackupFile } from '../backup/backup-file.ts'
import type { OpenSource } from '../backup/source.ts'
import { ownerTransaction } from '../db/owner-transaction.ts'
import { writeExport, type ExportOptions, type WrittenExport } from './write-export.ts'

/**
 * Exports an organization, beside running programs. The entry in its audit log is written first, so that no export is without one.
 * @param open opens one consistent state
 */
export async function exportOrganization(
  pool: Pool,
  open: () => Promise<OpenSource>,
  file: BackupFile,
  options: ExportOptions,
): Promise<WrittenExport> {
  const { organizationId, now } = options
  const target = wireId('org', organizationId)
  await ownerTransaction(pool, (client) => auditByOperator(client, organizationId, now, { action: 'organization.exported', target }))
  const source = await open()
  try {
    return await file.store((stream) => writeExport(source, stream, options))
  } finally {
    await source.close()
  }
}
