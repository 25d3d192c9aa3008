import type { OwnerQuery } from '../db/owner-query.ts'
import type { Database } from '../db/database.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Storage } from '../storage/storage.ts'
import { checks, generationTables, deleteOrphanRows, type Finding } from './checks.ts'
import { checkFiles } from './files.ts'
import { rebuildSource } from './rebuild.ts'
import { reprocessSource } from './reprocess.ts'

export interface DoctorTools {
  readonly query: OwnerQuery
  readonly database: Pick<Database, 'transaction'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly storage: Storage
}

export interface Diagnosis {
  /** The problems before any repair. */
  readonly findings: readonly Finding[]
  /** Number of repaired findings. A source counts as repaired when its processing is queued. */
  readonly repaired: number
}

/**
 * Compares sources, jobs, index and files, and checks the chains of certificates and the deliveries of webhooks, also while the program
 * is running. Leaves out organizations that are being imported.
 * @param graceSeconds minimum age of an orphaned file; a younger one may still get its row
 */
export async function diagnose(
  tools: DoctorTools,
  { repair, graceSeconds, now }: { repair: boolean; graceSeconds: number; now: Date },
): Promise<Diagnosis> {
  const findings: Finding[] = []
  const importing = await beingImported(tools)
  for (const { name, sql } of checks) {
    const rows = await tools.query<Omit<Finding, 'check'>>(sql)
    findings.push(...rows.map(({ organizationId, subject, detail }) => ({ check: name, organizationId, subject, detail })))
  }
  findings.push(...(await checkFiles(tools.query, tools.storage, { now, graceSeconds })))
  // An import may have begun or ended during the checks.
  const incomplete = new Set([...importing, ...(await beingImported(tools))])
  const found = findings.filter(({ organizationId }) => !incomplete.has(organizationId))
  return { findings: found, repaired: repair ? await repairAll(tools, found) : 0 }
}

async function beingImported({ query }: DoctorTools): Promise<string[]> {
  return (await query<{ id: string }>('select id from organization where import_id is not null')).map(({ id }) => id)
}

async function repairAll(tools: DoctorTools, findings: readonly Finding[]): Promise<number> {
  let repaired = 0
  const queued = new Set<string>()
  for (const finding of findings) {
    if (finding.check === 'orphan_rows' || finding.check === 'certificate' || finding.check === 'webhook') continue
    if (finding.check === 'wrong_use') {
      await tools.query('select recount_use($1)', [finding.organizationId])
      repaired += 1
    } else if (finding.check === 'orphan_file') {
      await tools.storage.delete(finding.subject)
      repaired += 1
    } else if (finding.check === 'unfinished_write') {
      const [key = '', id = ''] = finding.subject.split(' ')
      await tools.storage.cancelWrite({ key, id })
      repaired += 1
    } else if (finding.check === 'stuck_reindex') {
      if (await rebuildSource(tools, finding)) repaired += 1
    } else if (queued.has(finding.subject) || (await reprocessSource(tools, finding))) {
      queued.add(finding.subject)
      repaired += 1
    }
  }
  if (findings.some(({ check }) => check === 'orphan_rows')) {
    for (const table of generationTables) await tools.query(deleteOrphanRows(table))
    repaired += findings.filter(({ check }) => check === 'orphan_rows').length
  }
  return repaired
}
