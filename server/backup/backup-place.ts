import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../lib/missing-file.ts'
import { localBackupFile, type BackupFile } from './backup-file.ts'

/** A folder or a bucket with backups. */
export interface BackupPlace {
  /** For messages. */
  readonly location: string
  /** Creates the place if it is missing. */
  prepare(): Promise<void>
  /** Returns the names of all files; none if the place does not exist. */
  names(): Promise<string[]>
  file(name: string): BackupFile
  /** Also succeeds if the file does not exist. */
  delete(name: string): Promise<void>
  /** Deletes unfinished backups of killed processes. */
  deleteUnfinished(): Promise<void>
  readText(name: string): Promise<{ readonly text: string; readonly modifiedAt: Date } | null>
  writeText(name: string, text: string): Promise<void>
}

export const localBackupPlace = (folder: string): BackupPlace => ({
  location: folder,
  prepare: () => mkdir(folder, { recursive: true, mode: 0o700 }).then(() => undefined),
  names: async () => (await readdir(folder).catch(nullIfMissing)) ?? [],
  file: (name) => localBackupFile(join(folder, name)),
  delete: (name) => rm(join(folder, name), { force: true }),
  async deleteUnfinished() {
    const unfinished = (await readdir(folder)).filter((name) => name.startsWith('groundwork-') && name.endsWith('.part'))
    for (const name of unfinished) await rm(join(folder, name), { force: true })
  },
  async readText(name) {
    const file = join(folder, name)
    const [found, text] = await Promise.all([stat(file).catch(nullIfMissing), readFile(file, 'utf8').catch(nullIfMissing)])
    return found === null || text === null ? null : { text, modifiedAt: found.mtime }
  },
  writeText: (name, text) => writeFile(join(folder, name), text, { mode: 0o600 }),
})
