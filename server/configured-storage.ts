import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { createOutbound } from './outbound/outbound.ts'
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
function awsCredentials(config: Config): S3Credentials | null {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = config
  return accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey, sessionToken }
}

/** Opens the storage of the program, for a command. The connections end with the process. */
export const openConfiguredStorage = (config: Config): Promise<Storage> => openStorage(storageSettings(config), commandOutbound())

/** Returns a client for the requests of a command. */
export const commandOutbound = () => createOutbound({ allowHosts: [], userAgent: 'Groundwork' })
