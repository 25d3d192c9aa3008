import { Readable } from 'node:stream'
import { createSemaphore } from '../../lib/semaphore.ts'
import { checkedKey } from '../keys.ts'
import type { Storage } from '../storage.ts'
import { MissingFileError } from '../storage-error.ts'
import type { S3Client } from './client.ts'
import { deleteStaleHold, deleteUnlessHeld, heldPrefix, holdDeletions } from './deletion-hold.ts'
import { s3Incoming } from './incoming.ts'
import { s3Objects } from './objects.ts'
import { probe, probeWrite } from './probe.ts'
import { s3Location } from './settings.ts'
import { writeParts } from './write-parts.ts'

const idKey = 'store.id'
const partBytes = 8 * 2 ** 20
const concurrentDeletions = 16
/** A write probe costs money, so its success counts for this time. */
const probeMs = 30_000
/** Files of an organization. Other objects in the bucket, such as backups, belong to others. */
const fileKey = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\//

/** Opens files in a bucket after a probe. @throws StorageError that names the problem */
export async function openS3Storage(client: S3Client): Promise<Storage> {
  await probe(client, s3Objects(client))
  const storage = s3Storage(client)
  await deleteStaleHold(s3Objects(client))
  return storage
}

/** Creates the storage in a bucket, without a request. */
export function s3Storage(client: S3Client): Storage {
  const objects = s3Objects(client)
  const location = s3Location(client.settings)
  let probedAt = Number.NEGATIVE_INFINITY
  const missing = (key: string): MissingFileError => new MissingFileError(`${location}/${key} does not exist`)
  const open = async (key: string, range: { start: number; end: number } | null) => {
    const found = await objects.open(key, range, 'reading a file')
    return found === null ? null : { sizeBytes: found.sizeBytes, content: Readable.fromWeb(found.body) }
  }
  return {
    write: (key, content, maxBytes = Infinity) => writeParts(objects, checkedKey(key), content, { maxBytes, partBytes }),
    async read(key) {
      const found = await objects.get(checkedKey(key), 'reading a file')
      if (found === null) throw missing(key)
      return found
    },
    async open(key, range) {
      const found = await open(checkedKey(key), range)
      if (found === null) throw missing(key)
      return found.content
    },
    async sizeBytes(key) {
      const found = await objects.head(checkedKey(key), 'reading the size of a file')
      if (found === null) throw missing(key)
      return found.sizeBytes
    },
    exists: async (key) => (await objects.head(checkedKey(key), 'looking for a file')) !== null,
    delete: (key) => deleteUnlessHeld(objects, checkedKey(key)),
    async deleteOrganization(organizationId) {
      checkedKey(`${organizationId}/all`)
      for await (const { key, id } of objects.listUnfinished(`${organizationId}/`)) await objects.abortParts(key, id)
      const limited = createSemaphore(concurrentDeletions)
      let deleted = 0
      let running: Promise<void>[] = []
      for await (const { key } of objects.list(`${organizationId}/`)) {
        running.push(limited(() => deleteUnlessHeld(objects, key)))
        deleted += 1
        if (running.length < 1000) continue
        await Promise.all(running)
        running = []
      }
      await Promise.all(running)
      return deleted
    },
    incoming: s3Incoming(client, objects),
    async readId() {
      const found = await objects.get(idKey, 'reading the id of the store')
      return found === null ? null : found.toString().trim()
    },
    async createId(id) {
      const found = await this.readId()
      if (found !== null) return found
      await objects.putIfAbsent(idKey, Buffer.from(`${id}\n`), 'storing the id of the store')
      return (await this.readId()) ?? id
    },
    setting: 'STORAGE_URL',
    location,
    idLocation: `${location}/${idKey}`,
    async probeWrite() {
      if (performance.now() - probedAt < probeMs) return
      await probeWrite(objects)
      probedAt = performance.now()
    },
    async *files() {
      for await (const file of objects.list('')) if (fileKey.test(file.key)) yield file
    },
    async *unfinishedWrites() {
      for await (const write of objects.listUnfinished('')) if (fileKey.test(write.key)) yield write
    },
    cancelWrite: ({ key, id }) => objects.abortParts(key, id),
    async holdDeletions() {
      const hold = await holdDeletions(objects, location)
      return {
        async *files() {
          for await (const { key } of objects.list('')) if (fileKey.test(key)) yield key
          for await (const { key } of objects.list(heldPrefix)) {
            const held = key.slice(heldPrefix.length)
            if (fileKey.test(held)) yield held
          }
        },
        async open(key) {
          const found = (await open(checkedKey(key), null)) ?? (await open(hold.keyOf(key), null))
          if (found === null) throw missing(key)
          return found
        },
        release: () => hold.release(),
      }
    },
  }
}
