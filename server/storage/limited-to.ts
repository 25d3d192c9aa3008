import { Transform } from 'node:stream'
import { StorageLimitError } from './storage-error.ts'

/** Returns a transform that counts bytes, and fails with a StorageLimitError at more than `maxBytes`. */
export function limitedTo(maxBytes: number): { readonly through: Transform; readonly sizeBytes: () => number } {
  let size = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > maxBytes ? new StorageLimitError(`the content is larger than ${maxBytes} bytes`) : null, chunk)
    },
  })
  return { through, sizeBytes: () => size }
}
