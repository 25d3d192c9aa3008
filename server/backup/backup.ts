import type { BulkSession } from '../db/bulk-session.ts'
import type { KeyPlace } from '../installation/secret-key.ts'
import type { Storage } from '../storage/storage.ts'
import type { BackupFile } from './backup-file.ts'
import { openSource } from './source.ts'
import { rowDigest } from './row-digest.ts'
import { readRows, readTables } from './catalog.ts'
import { provideSecretKey } from './secret.ts'
import { openBackup, restoreBackup, type OpenBackup, type RestoredBackup } from './restore-backup.ts'
import { assertEmptyDatabase, assertEmptyStorage, assertKnownVersion, intoStorage, openTarget, openThrowawayTarget } from './target.ts'
import { writeBackup, type BackupOptions, type WrittenBackup } from './write-backup.ts'
import type { Progress } from './progress.ts'

/** The database and the files of an installation. */
export interface Installation {
  readonly dataDir: string
  /** The URL of a PostgreSQL server; undefined for the embedded engine. */
  readonly databaseUrl: string | undefined
  readonly storage: Storage
}

/** Backs up rows and files while programs keep running. */
export async function backUp(installation: Installation, file: BackupFile, options: BackupOptions): Promise<WrittenBackup> {
  const source = await openSource(installation)
  try {
    return await file.store((target) => writeBackup(source, target, options))
  } finally {
    await source.close()
  }
}

export interface RestoreOptions {
  readonly secretKey: KeyPlace
  /** The key file with which the secret key in the backup is encrypted. */
  readonly keyFile: string | undefined
  /** Restores even if the secret key is missing: secrets in the database are then lost. */
  readonly withoutSecretKey: boolean
  readonly progress: Progress
}

/**
 * Restores a backup into an installation without data, and migrates it to the version of this program.
 * @throws Error if there is data, the backup is newer than this program or damaged, or the secret key is missing
 */
export async function restore(
  { storage, ...database }: Installation,
  file: BackupFile,
  { secretKey, keyFile, withoutSecretKey, progress }: RestoreOptions,
): Promise<RestoredBackup & { readonly migrated: string[] }> {
  return withBackup(file, async (backup) => {
    const { header } = backup
    await assertKnownVersion(header)
    const target = await openTarget(database, intoStorage(storage))
    try {
      await assertEmptyDatabase(target.session, header)
      await assertEmptyStorage(storage, target.session)
      if (!withoutSecretKey) await provideSecretKey(header, secretKey, keyFile)
      const restored = await restoreBackup(backup, target, progress)
      return { ...restored, migrated: await target.migrate() }
    } finally {
      await target.close()
    }
  })
}

/**
 * Restores a backup into a temporary embedded database, reads its rows again, and runs newer migrations.
 * @throws Error that names the first difference
 */
export async function verify(file: BackupFile, progress: Progress): Promise<RestoredBackup & { readonly migrated: string[] }> {
  return withBackup(file, async (backup) => {
    await assertKnownVersion(backup.header)
    const target = await openThrowawayTarget()
    try {
      const restored = await restoreBackup(backup, target, progress)
      await compareRows(restored, target.session, progress)
      return { ...restored, migrated: await target.migrate() }
    } finally {
      await target.close()
    }
  })
}

/** Reads the restored rows again. @throws Error that names the first table that differs */
async function compareRows({ header, manifest }: RestoredBackup, session: BulkSession, progress: Progress): Promise<void> {
  const expected = new Map(manifest.tables.map((table) => [table.name, table]))
  const columns = new Map(header.tables.map((table) => [table.name, table.columns]))
  for (const table of await readTables(session)) {
    const digest = rowDigest()
    for await (const rows of readRows(session, { ...table, columns: columns.get(table.name) ?? table.columns })) digest.add(rows)
    const { rows, digest: expectedDigest } = expected.get(table.name) ?? { rows: 0, digest: rowDigest().digest() }
    if (digest.rows !== rows || digest.digest() !== expectedDigest)
      throw new Error(`The restored rows of ${table.name} differ from those of the backup.`)
    progress.table(table.name, rows)
  }
}

/** Opens the backup, calls `use` with it, and closes it. */
export async function withBackup<T>(file: BackupFile, use: (backup: OpenBackup) => Promise<T>): Promise<T> {
  const source = file.open()
  try {
    return await use(await openBackup(source))
  } finally {
    source.destroy()
  }
}
