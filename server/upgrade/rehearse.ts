import { withBackup } from '../backup/backup.ts'
import type { BackupFile } from '../backup/backup-file.ts'
import type { Progress } from '../backup/progress.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { assertKnownVersion, openThrowawayTarget } from '../backup/target.ts'
import { observeMigrations, type ObservedMigration } from './observe.ts'
import { tableSizes, type TableSize } from './plan.ts'

export interface Rehearsal {
  /** When the state of the backup was taken. */
  readonly createdAt: string
  readonly migrations: readonly ObservedMigration[]
  /** Before the migrations. */
  readonly sizes: ReadonlyMap<string, TableSize>
}

/**
 * Restores a backup into a temporary embedded database, and runs the migrations that it does not have.
 * @throws Error if the backup is newer than this program or damaged, or a migration fails
 */
export function rehearse(file: BackupFile, progress: Progress): Promise<Rehearsal> {
  return withBackup(file, async (backup) => {
    await assertKnownVersion(backup.header)
    const target = await openThrowawayTarget()
    try {
      const { header } = await restoreBackup(backup, target, progress)
      const { query } = target.session
      const sizes = await tableSizes(query)
      const applied = header.migrations.map(({ name }) => name)
      return { createdAt: header.createdAt, sizes, migrations: await observeMigrations((options) => target.migrate(options), applied) }
    } finally {
      await target.close()
    }
  })
}
