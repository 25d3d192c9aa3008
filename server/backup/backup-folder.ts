import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../lib/missing-file.ts'

/** A folder of scheduled backups. The time in a name is that of the state: `groundwork-2026-11-01T08-00-00Z.tar`. */
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

/** Returns the complete backups in the folder, newest first; none if the folder does not exist. */
export async function listBackups(folder: string): Promise<StoredBackup[]> {
  const names = (await readdir(folder).catch(nullIfMissing)) ?? []
  return names
    .flatMap((name) => {
      const [, day, hours, minutes, seconds] = namePattern.exec(name) ?? []
      return day === undefined ? [] : [{ name, at: new Date(`${day}${hours}:${minutes}:${seconds}`) }]
    })
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
}

/** Deletes all backups but the newest ones, and unfinished ones of killed processes. */
export async function deleteOldBackups(folder: string, keep: number): Promise<void> {
  for (const { name } of (await listBackups(folder)).slice(keep)) await rm(join(folder, name), { force: true })
  const unfinished = (await readdir(folder)).filter((name) => name.startsWith('groundwork-') && name.endsWith('.part'))
  for (const name of unfinished) await rm(join(folder, name), { force: true })
}

export interface BackupFailure {
  readonly at: Date
  readonly message: string
}

/** Remembers the error of the last attempt, or its success with null. */
export async function recordFailure(folder: string, message: string | null): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, failureFile)
  if (message === null) await rm(file, { force: true })
  else await writeFile(file, `${message}\n`, { mode: 0o600 })
}

/** Returns the error of the last attempt; null if it succeeded. */
export async function readFailure(folder: string): Promise<BackupFailure | null> {
  const file = join(folder, failureFile)
  const [found, message] = await Promise.all([stat(file).catch(nullIfMissing), readFile(file, 'utf8').catch(nullIfMissing)])
  return found === null || message === null ? null : { at: found.mtime, message: message.trim() }
}

/** Pause after a failed attempt. */
const retryMs = 10 * minute

/** Returns in how many milliseconds the next backup is due; 0 or less if it is due. */
export async function dueInMs(folder: string, everyMs: number, now: Date): Promise<number> {
  const [[newest], failure] = await Promise.all([listBackups(folder), readFailure(folder)])
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

/** Returns a finding if the last attempt failed, or the newest backup is older than twice the interval. */
export async function checkBackups(folder: string, everyMs: number, now: Date): Promise<BackupFinding[]> {
  const [[newest], failure] = await Promise.all([listBackups(folder), readFailure(folder)])
  const finding = (detail: string): BackupFinding => ({ check: 'backup', organizationId: null, subject: folder, detail })
  const findings: BackupFinding[] = []
  if (failure !== null) findings.push(finding(`the last backup failed at ${failure.at.toISOString()}: ${failure.message}`))
  if (newest === undefined) findings.push(finding('there is no backup yet'))
  else if (now.getTime() - newest.at.getTime() > 2 * everyMs)
    findings.push(finding(`the newest backup is of ${newest.at.toISOString()}, more than twice BACKUP_EVERY ago`))
  return findings
}
