/** A process that writes one backup, so that neither compression nor a second engine take time from requests. */
import { commandOutbound } from '../configured-storage.ts'
import { parentProcess } from '../lib/background-process.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { StorageSettings } from '../storage/storage-settings.ts'
import { backUp } from './backup.ts'
import { localBackupFile } from './backup-file.ts'
import { noProgress } from './progress.ts'
import { secretKeySealer } from './secret.ts'

export interface BackupOrder {
  readonly path: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly storage: StorageSettings
  readonly programVersion: string
  readonly now: Date
  /** Seals the secret key into the backup. */
  readonly seal: { readonly keyFile: string; readonly setting: string | undefined } | null
}

export type BackupAnswer = { readonly error: string } | { readonly rows: number; readonly files: number; readonly bytes: number }

const parent = parentProcess<BackupOrder, BackupAnswer>()
parent.onMessage((order) => void answer(order))

async function answer(order: BackupOrder): Promise<void> {
  parent.send(await run(order).catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) })))
  parent.end()
}

async function run({ path, dataDir, databaseUrl, storage: settings, programVersion, now, seal }: BackupOrder): Promise<BackupAnswer> {
  const storage = await openStorage(settings, commandOutbound())
  const sealSecretKey = seal === null ? null : await secretKeySealer({ dataDir, setting: seal.setting }, seal.keyFile)
  const options = { programVersion, now, sealSecretKey, progress: noProgress }
  const { rows, files, bytes } = await backUp({ dataDir, databaseUrl, storage }, localBackupFile(path), options)
  return { rows, files, bytes }
}
