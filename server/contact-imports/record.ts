import { wireId, type ContactImport } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { ContactImportTable, StoredImportPlan } from '../db/schema.ts'

export type ImportRecord = Selectable<ContactImportTable>

export function toImport(row: ImportRecord): ContactImport {
  const { settings, plan } = row
  return {
    id: wireId('imp', row.id),
    status: row.status,
    dryRun: settings.dryRun,
    mode: settings.mode,
    matchOn: settings.matchOn ?? null,
    blanks: settings.blanks,
    fileName: row.file_name,
    encoding: plan?.encoding ?? null,
    delimiter: plan?.delimiter ?? null,
    header: plan?.header ?? null,
    mapping: mappingOf(plan),
    progress: { done: row.done_rows, total: row.total_rows, unit: 'rows' },
    counts: {
      created: row.created_count,
      updated: row.updated_count,
      unchanged: row.unchanged_count,
      failed: row.failed_count,
      companiesCreated: row.companies_created,
      consentsRecorded: row.consents_recorded,
      denialsKept: row.denials_kept,
    },
    errorCode: row.error_code,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  }
}

const shownSamples = 3

/** Returns the columns, with their first cells that are not blank. */
function mappingOf(plan: StoredImportPlan | null): ContactImport['mapping'] {
  const { mapping = [], samples } = plan ?? {}
  if (samples === undefined) return [...mapping]
  return mapping.map((column, index) => ({
    ...column,
    samples: samples
      .map((cells) => cells[index] ?? '')
      .filter((cell) => cell !== '')
      .slice(0, shownSamples),
  }))
}
