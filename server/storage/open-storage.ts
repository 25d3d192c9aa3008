import type { Outbound } from '../outbound/outbound.ts'
import { createS3Client } from './s3/client.ts'
import { openS3Storage } from './s3/s3-storage.ts'
import { bucketOrigin } from './s3/settings.ts'
import type { StorageSettings } from './storage-settings.ts'
import { localStorage, type Storage } from './storage.ts'

/** Opens the storage. @throws Error that names the problem, if it cannot be used */
export async function openStorage(settings: StorageSettings, outbound: Pick<Outbound, 'trustedFetch'>): Promise<Storage> {
  if (settings.kind === 'folder') return localStorage(settings.folder)
  const fetch = outbound.trustedFetch(bucketOrigin(settings, settings.endpoint))
  return openS3Storage(createS3Client(settings, { fetch }))
}
