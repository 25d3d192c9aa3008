import { PassThrough, Readable } from 'node:stream'
import type { S3Client } from '../storage/s3/client.ts'
import { s3Objects, type S3Objects } from '../storage/s3/objects.ts'
import { s3Location } from '../storage/s3/settings.ts'
import { writeParts } from '../storage/s3/write-parts.ts'
import type { BackupFile } from './backup-file.ts'
import type { BackupPlace } from './backup-place.ts'

/** 10,000 parts of this size are 625 GiB. One part is in memory. */
const partBytes = 64 * 2 ** 20

/** A place for backups in a bucket. */
export function s3BackupPlace(client: S3Client): BackupPlace {
  const objects = s3Objects(client)
  return {
    location: s3Location(client.settings),
    prepare: async () => undefined,
    async names() {
      const names: string[] = []
      for await (const { key } of objects.list('')) if (!key.includes('/')) names.push(key)
      return names
    },
    file: (name) => s3BackupFile(objects, name),
    delete: (name) => objects.delete(name, 'deleting a backup'),
    async deleteUnfinished() {
      for await (const { key, id } of objects.listUnfinished('groundwork-')) if (!key.includes('/')) await objects.abortParts(key, id)
    },
    async readText(name) {
      const [head, content] = [await objects.head(name, 'reading a record'), await objects.get(name, 'reading a record')]
      return head === null || content === null ? null : { text: content.toString(), modifiedAt: head.modifiedAt }
    },
    writeText: (name, text) => objects.put(name, Buffer.from(text), 'storing a record'),
  }
}

/** An object that is stored completely or not at all. */
const s3BackupFile = (objects: S3Objects, name: string): BackupFile => ({
  async store(write) {
    const stream = new PassThrough({ highWaterMark: 2 ** 20 })
    const stored = writeParts(objects, name, stream, { maxBytes: Number.POSITIVE_INFINITY, partBytes })
    // Awaited below; an error reaches `write` through the stream.
    stored.catch((error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))))
    try {
      const written = await write(stream)
      stream.end()
      await stored
      return written
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)))
      // The error of the storage is the cause of the one of the stream.
      await stored
      throw error
    }
  },
  open() {
    const content = async function* (): AsyncGenerator<Uint8Array> {
      const found = await objects.open(name, null, 'reading a backup')
      if (found === null) throw new Error(`There is no backup ${name} in this bucket.`)
      yield* Readable.fromWeb(found.body) as AsyncIterable<Uint8Array>
    }
    return Readable.from(content(), { objectMode: false, highWaterMark: 2 ** 20 })
  },
})
