import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import {
  backupName,
  backupWarnings,
  checkBackups,
  deleteOldBackups,
  dueInMs,
  listBackups,
  readFailure,
  recordFailure,
} from './backup-folder.ts'
import { localBackupPlace, type BackupPlace } from './backup-place.ts'
import { startScheduledBackups } from './scheduled-backups.ts'

const root = await mkdtemp(join(tmpdir(), 'groundwork-backups-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const hour = 3_600_000
const at = (hours: number): Date => new Date(Date.UTC(2026, 10, 1) + hours * hour)

async function folderWith(hours: readonly number[]): Promise<string> {
  const folder = await mkdtemp(join(root, 'to-'))
  for (const each of hours) await writeFile(join(folder, backupName(at(each))), 'x')
  return folder
}

it('are named after their time, and only the newest are kept', async () => {
  expect(backupName(at(8))).toBe('groundwork-2026-11-01T08-00-00Z.tar')
  const folder = await folderWith([3, 1, 2])
  await writeFile(join(folder, 'other.tar'), 'x')
  await writeFile(join(folder, `${backupName(at(4))}.1234.part`), 'x')
  expect((await listBackups(localBackupPlace(folder))).map((backup) => backup.at)).toEqual([at(3), at(2), at(1)])
  await deleteOldBackups(localBackupPlace(folder), 2)
  expect((await readdir(folder)).toSorted()).toEqual([backupName(at(2)), backupName(at(3)), 'other.tar'])
  expect(await listBackups(localBackupPlace(join(folder, 'missing')))).toEqual([])
})

it('are due after their interval, and ten minutes after a failure', async () => {
  const folder = await folderWith([1, 2])
  expect(await dueInMs(localBackupPlace(folder), 24 * hour, at(3))).toBe(23 * hour)
  expect(await dueInMs(localBackupPlace(folder), 24 * hour, at(26))).toBe(0)
  expect(await dueInMs(localBackupPlace(await folderWith([])), 24 * hour, at(0))).toBe(0)
  await recordFailure(localBackupPlace(folder), 'the disk is full')
  const failed = at(26)
  await utimes(join(folder, 'last-failure.txt'), failed, failed)
  expect(await dueInMs(localBackupPlace(folder), 24 * hour, at(26))).toBe(10 * 60_000)
  expect(await checkBackups(localBackupPlace(folder), 24 * hour, at(27))).toMatchObject([
    { subject: folder, detail: `the last backup failed at ${failed.toISOString()}: the disk is full` },
  ])
  await recordFailure(localBackupPlace(folder), null)
  expect(await checkBackups(localBackupPlace(folder), 24 * hour, at(27))).toEqual([])
  expect(await checkBackups(localBackupPlace(folder), 24 * hour, at(51))).toMatchObject([
    { detail: expect.stringContaining('more than twice BACKUP_EVERY') },
  ])
  expect(await checkBackups(localBackupPlace(await folderWith([])), 24 * hour, at(0))).toMatchObject([{ detail: 'there is no backup yet' }])
})

it('are late, missing, failed or unreadable in the warning, which is read once a minute', async () => {
  let now = at(27)
  const errors: unknown[] = []
  const warningsOf = (place: BackupPlace) =>
    backupWarnings(place, { everyMs: 24 * hour, now: () => now, onError: (error) => errors.push(error) })
  expect(await warningsOf(localBackupPlace(await folderWith([])))()).toEqual({ problem: 'missing', newestAt: null })
  const folder = await folderWith([1, 2])
  const warning = warningsOf(localBackupPlace(folder))
  expect(await warning()).toBeNull()
  now = at(51)
  expect(await warning()).toEqual({ problem: 'late', newestAt: at(2) })
  await recordFailure(localBackupPlace(folder), 'the disk is full')
  expect(await warning()).toEqual({ problem: 'late', newestAt: at(2) })
  now = new Date(at(51).getTime() + 60_000)
  expect(await warning()).toEqual({ problem: 'failed', newestAt: at(2) })
  expect(errors).toEqual([])
  const unreadable = { ...localBackupPlace(folder), names: () => Promise.reject(new Error('no permission')) }
  expect(await warningsOf(unreadable)()).toEqual({ problem: 'unreadable', newestAt: null })
  expect(errors).toHaveLength(1)
})

it('record the error of an installation that cannot be read', async () => {
  const folder = join(root, 'failing')
  const dataDir = join(root, 'data')
  await mkdir(dataDir)
  const log = { info: () => undefined, error: () => undefined }
  const storage = { storage: { kind: 'folder' as const, folder: join(dataDir, 'files') }, former: null }
  const source = { to: folder, credentials: null, dataDir, databaseUrl: undefined, storage, programVersion: '0.1.0', seal: null }
  const backups = startScheduledBackups({
    place: localBackupPlace(folder),
    everyMs: 24 * hour,
    keep: 2,
    source,
    log,
    now: () => new Date(),
  })
  await expect
    .poll(() => readFailure(localBackupPlace(folder)), { timeout: 60_000 })
    .toMatchObject({ message: expect.stringContaining('There is no embedded database in') })
  await backups.stop()
  expect(await listBackups(localBackupPlace(folder))).toEqual([])
}, 90_000)
