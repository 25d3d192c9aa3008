import { basename, dirname, resolve } from 'node:path'
import type { Outbound } from '../outbound/outbound.ts'
import { createS3Client } from '../storage/s3/client.ts'
import { bucketOrigin, parseS3Url, type S3Credentials } from '../storage/s3/settings.ts'
import { withCredentials } from '../storage/storage-settings.ts'
import type { BackupFile } from './backup-file.ts'
import { localBackupPlace, type BackupPlace } from './backup-place.ts'
import { s3BackupPlace } from './s3-backups.ts'

export interface BackupAccess {
  readonly outbound: Pick<Outbound, 'trustedFetch'>
  /** Keys for buckets; null without them. */
  readonly credentials: S3Credentials | null
}

/** Returns the place for backups at an `s3://` URL or in a folder. @throws Error that names the wrong part */
export function openBackupPlace(to: string, { outbound, credentials }: BackupAccess): BackupPlace {
  if (!to.startsWith('s3://')) return localBackupPlace(resolve(to))
  const settings = withCredentials({ kind: 's3', ...parseS3Url(to) }, credentials)
  if (settings.kind !== 's3') throw new Error(`${to} is not a bucket`)
  return s3BackupPlace(createS3Client(settings, { fetch: outbound.trustedFetch(bucketOrigin(settings, settings.endpoint)) }))
}

/** Returns the backup at an `s3://` URL, whose last segment is its name, or in a file. @throws Error likewise */
export function openBackupFile(file: string, access: BackupAccess): BackupFile {
  if (!file.startsWith('s3://')) return localBackupPlace(dirname(resolve(file))).file(basename(file))
  const [, folder, name, query = ''] = /^(s3:\/\/[^?]*)\/([^/?]+)(\?.*)?$/.exec(file) ?? []
  if (folder === undefined || name === undefined || folder === 's3:/')
    throw new Error(`${file} has no name of a backup, as in s3://bucket/backup.tar`)
  return openBackupPlace(`${folder}${query}`, access).file(name)
}
