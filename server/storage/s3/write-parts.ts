import type { Readable } from 'node:stream'
import { StorageLimitError } from '../storage-error.ts'
import type { S3Objects } from './objects.ts'

export interface WriteOptions {
  readonly maxBytes: number
  /** Size of each part but the last. A file of up to one part is stored by one request. */
  readonly partBytes: number
}

/** Parts that the service accepts for one object. */
const maxParts = 10_000

/**
 * Stores a stream of unknown length, completely or not at all, with one part in memory. Returns the number of bytes.
 * @throws StorageLimitError, StorageError
 */
export async function writeParts(
  objects: S3Objects,
  key: string,
  content: Readable | Uint8Array,
  { maxBytes, partBytes }: WriteOptions,
): Promise<number> {
  let uploadId: string | null = null
  const parts: { number: number; etag: string }[] = []
  let size = 0
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  const sendPart = async (bytes: Buffer): Promise<void> => {
    if (parts.length === maxParts) throw new StorageLimitError(`the content has more than ${maxParts} parts of ${partBytes} bytes`)
    uploadId ??= await objects.beginParts(key, null)
    const number = parts.length + 1
    parts.push({ number, etag: await objects.putPart(key, uploadId, number, bytes) })
  }
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : (content as AsyncIterable<Uint8Array>)) {
      size += chunk.length
      if (size > maxBytes) throw new StorageLimitError(`the content is larger than ${maxBytes} bytes`)
      pending.push(chunk)
      pendingBytes += chunk.length
      if (pendingBytes <= partBytes) continue
      const joined = Buffer.concat(pending)
      let from = 0
      // The last part is sent at the end, so that one part is enough for a file of that size.
      for (; joined.length - from > partBytes; from += partBytes) await sendPart(joined.subarray(from, from + partBytes))
      pending = [joined.subarray(from)]
      pendingBytes = joined.length - from
    }
    const last = Buffer.concat(pending)
    if (uploadId === null) {
      await objects.put(key, last, 'storing a file')
      return size
    }
    await sendPart(last)
    // A repeated request finds that an earlier one has completed the upload.
    if (!(await objects.completeParts(key, uploadId, parts)) && (await objects.head(key, 'storing a file'))?.sizeBytes !== size)
      throw new Error(`the upload of ${key} was cancelled before it was complete`)
    return size
  } catch (error) {
    // The doctor cancels uploads that cannot be cancelled here.
    if (uploadId !== null) await objects.abortParts(key, uploadId).catch(() => undefined)
    throw error
  }
}
