import { randomUUID } from 'node:crypto'
import type { S3Client } from './client.ts'
import type { S3Objects } from './objects.ts'

/**
 * Stores, reads, lists and deletes an object, and begins and cancels an upload in parts: each permission that the storage needs.
 * @throws StorageError that names the setting or the permission to change
 */
export async function probe(client: S3Client, objects: S3Objects): Promise<void> {
  const key = `.probe/${randomUUID()}`
  const content = Buffer.from('Groundwork stores and deletes this object to check the storage.\n')
  await objects.put(key, content, 'storing a probe object')
  try {
    const found = await objects.get(key, 'reading the probe object')
    if (found === null || !found.equals(content))
      throw new Error(`${client.settings.bucket}: the probe object was stored, but reading it returned something else.`)
    const listed = await objects.list('.probe/').next()
    if (listed.done === true) throw new Error(`${client.settings.bucket}: the probe object was stored, but it is not listed.`)
    await objects.abortParts(key, await objects.beginParts(key, null))
  } finally {
    await objects.delete(key, 'deleting the probe object')
  }
}

/** Stores and deletes an object. */
export async function probeWrite(objects: S3Objects): Promise<void> {
  const key = `.probe/${randomUUID()}`
  await objects.put(key, Buffer.from('probe\n'), 'storing a probe object')
  await objects.delete(key, 'deleting the probe object')
}
