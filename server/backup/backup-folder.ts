import type { BackupPlace } from './backup-place.ts'

/** The names of scheduled backups. The time in a name is that of the state: `groundwork-2026-11-01T08-00-00Z.tar`. */
const namePattern = /^groundwork-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\dZ)\.tar$/
const failureFile = 'last-failure.txt'
const minute = 60_000

export const backupName = (at: Date): string =>
  `groundwork-${at
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}.tar`

export interface StoredBackup {
  readonly name: string
  readonly at: Date
}

/** Returns the complete backups, newest first. */
export async function listBackups(place: BackupPlace): Promise<StoredBackup[]> {
  const names = await place.names()
  return names
    .flatMap((name) => {
      const [, day, hours, minutes, seconds] = namePattern.exec(name) ?? []
      return day === undefined ? [] : [{ name, at: new Date(`${day}${hours}:${minutes}:${seconds}`) }]
    })
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
}

/** Deletes all backups but the newest ones, and unfinished ones of killed processes. */
export async function deleteOldBackups(place: BackupPlace, keep: number): Promise<void> {
  for (const { name } of (await listBackups(place)).slice(keep)) await place.delete(name)
  await place.deleteUnfinished()
}

export interface BackupFailure {
  readonly at: Date
  readonly message: string
}

/** Remembers the error of the last attempt, or its success with null. */
export async function recordFailure(place: BackupPlace, message: string | null): Promise<void> {
  await place.prepare()
  if (message === null) await place.delete(failureFile)
  else await place.writeText(failureFile, `${message}\n`)
}

/** Returns the error of the last attempt; null if it succeeded. */
export async function readFailure(place: BackupPlace): Promise<BackupFailure | null> {
  const found = await place.readText(failureFile)
  return found === null ? null : { at: found.modifiedAt, message: found.text.trim() }
}

/** Pause after a failed attempt. */
const retryMs = 10 * minute

/** Returns in how many milliseconds the next backup is due; 0 or less if it is due. */
export async function dueInMs(place: BackupPlace, everyMs: number, now: Date): Promise<number> {
  const [[newest], failure] = await Promise.all([listBackups(place), readFailure(place)])
  const due = newest === undefined ? 0 : newest.at.getTime() + everyMs - now.getTime()
  const retry = failure === null ? 0 : failure.at.getTime() + Math.min(retryMs, everyMs) - now.getTime()
  return Math.max(due, retry)
}

/** A problem of the scheduled backups, for the operator. */
export interface BackupFinding {
  readonly check: 'backup'
  readonly organizationId: null
  readonly subject: string
  readonly detail: string
}

interface BackupState {
  readonly newest: StoredBackup | undefined
  /** Whether the newest backup is older than twice the interval. */
  readonly isLate: boolean
  /** The error of the last attempt; null if it succeeded. */
  readonly failure: BackupFailure | null
}

async function backupState(place: BackupPlace, everyMs: number, now: Date): Promise<BackupState> {
  const [[newest], failure] = await Promise.all([listBackups(place), readFailure(place)])
  return { newest, failure, isLate: newest !== undefined && now.getTime() - newest.at.getTime() > 2 * everyMs }
}

/** A problem of the scheduled backups, for the owners of organizations. */
export interface BackupWarning {
  readonly problem: 'failed' | 'late' | 'missing' | 'unreadable'
  /** The time of the newest backup; null without one. */
  readonly newestAt: Date | null
}

/** A bucket answers each list with a request, so it is asked at most once in this time. */
const checkedForMs = 60_000

/** Returns a function that returns what is wrong with the backups; null if nothing is. */
export function backupWarnings(
  place: BackupPlace,
  { everyMs, now, onError }: { everyMs: number; now: () => Date; onError: (error: unknown) => void },
): () => Promise<BackupWarning | null> {
  const check = async (): Promise<BackupWarning | null> => {
    try {
      const { newest, failure, isLate } = await backupState(place, everyMs, now())
      const problem = failure !== null ? 'failed' : newest === undefined ? 'missing' : isLate ? 'late' : null
      return problem === null ? null : { problem, newestAt: newest?.at ?? null }
    } catch (error) {
      onError(error)
      return { problem: 'unreadable', newestAt: null }
    }
  }
  let [checkedAt, latest]: [number, Promise<BackupWarning | null>] = [-Infinity, Promise.resolve(null)]
  return () => {
    const at = now().getTime()
    if (at - checkedAt >= checkedForMs) [checkedAt, latest] = [at, check()]
    return latest
  }
}

/** Returns a finding if the last attempt failed, or the newest backup is older than twice the interval. */
export async function checkBackups(place: BackupPlace, everyMs: number, now: Date): Promise<BackupFinding[]> {
  const { newest, failure, isLate } = await backupState(place, everyMs, now)
  const finding = (detail: string): BackupFinding => ({ check: 'backup', organizationId: null, subject: place.location, detail })
  const findings: BackupFinding[] = []
  if (failure !== null) findings.push(finding(`the last backup failed at ${failure.at.toISOString()}: ${failure.message}`))
  if (newest === undefined) findings.push(finding('there is no backup yet'))
  else if (isLate) findings.push(finding(`the newest backup is of ${newest.at.toISOString()}, more than twice BACKUP_EVERY ago`))
  return findings
}
