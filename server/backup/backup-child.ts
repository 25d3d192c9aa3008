/** A process that writes one backup, so that neither compression nor a second engine take time from requests. */
import { commandOutbound, openProgramStorage, type ProgramStorage } from '../configured-storage.ts'
import { parentProcess } from '../lib/background-process.ts'
import type { S3Credentials } from '../storage/s3/settings.ts'
import { backUp } from './backup.ts'
import { openBackupPlace } from './open-backup-place.ts'
import { noProgress } from './progress.ts'
import { secretKeySealer } from './secret.ts'

export interface BackupOrder {
  /** A folder or an `s3://` URL, with its keys. */
  readonly to: string
  readonly credentials: S3Credentials | null
  /** Name of the backup. */
  readonly name: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly storage: ProgramStorage
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

async function run({
  to,
  credentials,
  name,
  dataDir,
  databaseUrl,
  storage: settings,
  programVersion,
  now,
  seal,
}: BackupOrder): Promise<BackupAnswer> {
  const outbound = commandOutbound()
  const storage = await openProgramStorage(settings, outbound)
  const sealSecretKey = seal === null ? null : await secretKeySealer({ dataDir, setting: seal.setting }, seal.keyFile)
  const options = { programVersion, now, sealSecretKey, progress: noProgress }
  const { rows, files, bytes } = await backUp(
    { dataDir, databaseUrl, storage },
    openBackupPlace(to, { outbound, credentials }).file(name),
    options,
  )
  return { rows, files, bytes }
}
