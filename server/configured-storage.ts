import { resolve } from 'node:path'
import type { BackupPlace } from './backup/backup-place.ts'
import { openBackupPlace } from './backup/open-backup-place.ts'
import type { Config } from './config.ts'
import { createOutbound, type Outbound } from './outbound/outbound.ts'
import { movingStorage } from './storage/moving-storage.ts'
import { openStorage } from './storage/open-storage.ts'
import type { S3Credentials } from './storage/s3/settings.ts'
import type { Storage } from './storage/storage.ts'
import { withCredentials, type StorageSettings } from './storage/storage-settings.ts'

/** Returns the place of the files: STORAGE_URL, or a folder in DATA_DIR. */
export function storageSettings(config: Config): StorageSettings {
  if (config.STORAGE_URL === undefined) return { kind: 'folder', folder: resolve(config.DATA_DIR, 'files') }
  return withCredentials(config.STORAGE_URL, awsCredentials(config))
}

/** Returns the keys for buckets; null without them. */
export function awsCredentials(config: Config): S3Credentials | null {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = config
  return accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey, sessionToken }
}

/** Returns the place that files are moved from; null without STORAGE_URL_PREVIOUS. */
export const formerStorageSettings = (config: Config): StorageSettings | null =>
  config.STORAGE_URL_PREVIOUS === undefined ? null : withCredentials(config.STORAGE_URL_PREVIOUS, awsCredentials(config))

/** The places of a program's files. */
export interface ProgramStorage {
  readonly storage: StorageSettings
  readonly former: StorageSettings | null
}

export const programStorage = (config: Config): ProgramStorage => ({
  storage: storageSettings(config),
  former: formerStorageSettings(config),
})

/** Opens the storage of a program, which also reads the former one while files are moved. */
export async function openProgramStorage({ storage, former }: ProgramStorage, outbound: Pick<Outbound, 'trustedFetch'>): Promise<Storage> {
  const current = await openStorage(storage, outbound)
  return former === null ? current : movingStorage(current, await openStorage(former, outbound))
}

/** Opens the storage of the program, for a command. The connections end with the process. */
export const openConfiguredStorage = (config: Config): Promise<Storage> => openProgramStorage(programStorage(config), commandOutbound())

/** Returns a client for the requests of a command. */
export const commandOutbound = () => createOutbound({ allowHosts: [], userAgent: 'Groundwork' })

/** Returns the place for backups in BACKUP_TO, for a program or a command. */
export const backupPlace = (config: Config, to: string): BackupPlace =>
  openBackupPlace(to, { outbound: commandOutbound(), credentials: awsCredentials(config) })

/** Returns the folder of index files and its maximum size; null if it is turned off. */
export const indexFilesOf = ({ DATA_DIR, INDEX_DIR, INDEX_DISK_GB }: Config): { folder: string; maxBytes: number } | null =>
  INDEX_DISK_GB === 0
    ? null
    : { folder: INDEX_DIR === undefined ? resolve(DATA_DIR, 'index') : resolve(INDEX_DIR), maxBytes: INDEX_DISK_GB * 2 ** 30 }
