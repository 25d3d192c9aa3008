import type { IncomingFiles } from '../incoming.ts'
import { checkedKey } from '../keys.ts'
import { MissingFileError, StorageError, StorageLimitError } from '../storage-error.ts'
import type { S3Client } from './client.ts'
import type { S3Objects } from './objects.ts'
import { bucketOrigin } from './settings.ts'

/** Returns the key of bytes that clients have sent and that are not accepted yet. */
export const sentKey = (key: string): string => `${key}.sent`

/**
 * Receives files of clients. Bytes that are sent at once arrive under a key of their own: the URL stays valid for a day, and must not
 * change a file that is in use.
 */
export function s3Incoming(client: S3Client, objects: S3Objects): IncomingFiles {
  const { directUploads, publicEndpoint } = client.settings
  return {
    directOrigin: directUploads ? bucketOrigin(client.settings, publicEndpoint) : null,
    async presign(key, { sizeBytes, contentType, expiresInSeconds }) {
      if (!directUploads) return null
      const headers = { 'content-type': contentType }
      const { url } = await client.presign({ key: sentKey(checkedKey(key)), headers, contentLength: sizeBytes, expiresInSeconds })
      return { url, headers: { 'Content-Type': contentType } }
    },
    sentBytes: async (key) => (await objects.head(sentKey(checkedKey(key)), 'looking for an upload'))?.sizeBytes ?? null,
    async accept(key, sizeBytes) {
      const sent = sentKey(checkedKey(key))
      const found = await objects.head(sent, 'looking for an upload')
      if (found?.sizeBytes !== sizeBytes) return false
      if (!(await objects.copy(sent, key, 'accepting an upload', found.etag))) return false
      // A service that ignores the condition may have copied other bytes.
      if ((await objects.head(key, 'accepting an upload'))?.sizeBytes === sizeBytes) return true
      await objects.delete(key, 'refusing an upload')
      return false
    },
    discard: (key) => objects.delete(sentKey(checkedKey(key)), 'deleting an upload'),
    beginParts: (key, contentType) => objects.beginParts(checkedKey(key), contentType),
    async presignPart(key, id, { number, sizeBytes, expiresInSeconds }) {
      if (!directUploads) return null
      const query = { partNumber: String(number), uploadId: id }
      return client.presign({ key: checkedKey(key), query, headers: {}, contentLength: sizeBytes, expiresInSeconds })
    },
    async writePart(key, id, number, content, maxBytes) {
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of content) {
        size += chunk.length
        if (size > maxBytes) throw new StorageLimitError(`the content is larger than ${maxBytes} bytes`)
        chunks.push(chunk)
      }
      await objects.putPart(checkedKey(key), id, number, Buffer.concat(chunks)).catch((error: unknown) => {
        throw error instanceof StorageError && error.code === 'NoSuchUpload' ? new MissingFileError(error.message, { cause: error }) : error
      })
      return size
    },
    listParts: (key, id) => objects.listParts(checkedKey(key), id),
    async joinParts(key, id) {
      const parts = await objects.listParts(checkedKey(key), id)
      return parts !== null && objects.completeParts(key, id, parts)
    },
  }
}
