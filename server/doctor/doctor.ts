import type { OwnerQuery } from '../db/owner-query.ts'
import type { Database } from '../db/database.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Storage } from '../storage/storage.ts'
import { checks, generationTables, removeDeadRows, type Finding } from './checks.ts'
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
  /** What is not as it should be, as it was found. */
  readonly findings: readonly Finding[]
  /** Of these, how many were put right; a source is, when it is processed again. */
  readonly repaired: number
}

/**
 * Compares sources, jobs, index and files with each other, beside a running program or without one.
 * @param graceSeconds age below which a file that no row refers to may still be on its way to one
 */
export async function diagnose(
  tools: DoctorTools,
  { repair, graceSeconds, now }: { repair: boolean; graceSeconds: number; now: Date },
): Promise<Diagnosis> {
  const findings: Finding[] = []
  for (const { name, sql } of checks) {
    const rows = await tools.query<Omit<Finding, 'check'>>(sql)
    findings.push(...rows.map(({ organizationId, subject, detail }) => ({ check: name, organizationId, subject, detail })))
  }
  findings.push(...(await checkFiles(tools.query, tools.storage, { now, graceSeconds })))
  return { findings, repaired: repair ? await repairAll(tools, findings) : 0 }
}

async function repairAll(tools: DoctorTools, findings: readonly Finding[]): Promise<number> {
  let repaired = 0
  const begun = new Set<string>()
  for (const finding of findings) {
    if (finding.check === 'orphan_rows') continue
    if (finding.check === 'orphan_file') {
      await tools.storage.delete(finding.subject)
      repaired += 1
    } else if (finding.check === 'stuck_reindex') {
      if (await rebuildSource(tools, finding)) repaired += 1
    } else if (begun.has(finding.subject) || (await reprocessSource(tools, finding))) {
      begun.add(finding.subject)
      repaired += 1
    }
  }
  if (findings.some(({ check }) => check === 'orphan_rows')) {
    for (const table of generationTables) await tools.query(removeDeadRows(table))
    repaired += findings.filter(({ check }) => check === 'orphan_rows').length
  }
  return repaired
}
