import type { DiskSpace } from '../lib/disk-space.ts'
import type { OwnerQuery } from '../db/owner-query.ts'

/** A finding about the machine or the version, which no repair changes. */
export interface InstallationFinding {
  readonly check: 'disk' | 'clock' | 'migrations'
  readonly organizationId: null
  readonly subject: string
  readonly detail: string
}

const finding = (check: InstallationFinding['check'], subject: string, detail: string): InstallationFinding => ({
  check,
  organizationId: null,
  subject,
  detail,
})

const gigabyte = 1e9
/** Both: 10 % of a large disk are plenty, and a small disk may be meant to be small. */
const minFree = { bytes: gigabyte, fraction: 0.1 }

/** Returns a finding if the file system of the data folder has less than 1 GB and less than 10 % free. */
export function checkDisk(folder: string, { freeBytes, sizeBytes }: DiskSpace): InstallationFinding[] {
  if (freeBytes >= minFree.bytes || freeBytes >= minFree.fraction * sizeBytes) return []
  const inGb = (bytes: number): string => (bytes / gigabyte).toFixed(2)
  return [finding('disk', folder, `only ${inGb(freeBytes)} of ${inGb(sizeBytes)} GB are free`)]
}

const maxClockDifferenceMs = 5000

/**
 * Returns a finding if the clock of this machine and the clock of the database differ by more than 5 seconds: expiry, signatures and
 * due times use both.
 */
export async function checkClock(query: OwnerQuery, now: () => Date): Promise<InstallationFinding[]> {
  const before = now().getTime()
  const [row] = await query<{ at: Date }>('select clock_timestamp() as at')
  const after = now().getTime()
  // The database read its clock at some time between these two.
  const at = row?.at.getTime() ?? before
  const differenceMs = at < before ? at - before : Math.max(0, at - after)
  if (Math.abs(differenceMs) <= maxClockDifferenceMs) return []
  const direction = differenceMs > 0 ? 'ahead of' : 'behind'
  const seconds = Math.round(Math.abs(differenceMs) / 1000)
  return [finding('clock', 'database', `its clock is ${seconds} seconds ${direction} the clock of this machine; synchronize both`)]
}

/**
 * Returns findings for migrations that the database lacks, and for those of a newer version.
 * @param applied names of the migrations in the database
 * @param known names of the migrations of this version
 */
export function checkMigrations(applied: readonly string[], known: readonly string[]): InstallationFinding[] {
  const pending = known.filter((name) => !applied.includes(name))
  const unknown = applied.filter((name) => !known.includes(name))
  return [
    ...pending.map((name) => finding('migrations', name, 'it has not run; restart the program with this version')),
    ...unknown.map((name) => finding('migrations', name, 'this version does not know it; use the command of the version that runs')),
  ]
}
