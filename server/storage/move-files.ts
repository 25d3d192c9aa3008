import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Storage } from './storage.ts'
import { MissingFileError } from './storage-error.ts'

export interface MovedFiles {
  readonly files: number
  readonly bytes: number
  /** Files that the target had already. */
  readonly present: number
}

/**
 * Copies all files to another storage, beside running programs that use both (`movingStorage`). Reads each copy again and compares
 * its SHA-256. Can be stopped and run again. Nothing is deleted in `from`.
 * @throws Error that names the first file whose copy differs
 */
export async function moveFiles(from: Storage, to: Storage, onProgress: (moved: MovedFiles) => void): Promise<MovedFiles> {
  let moved: MovedFiles = { files: 0, bytes: 0, present: 0 }
  for await (const { key } of from.files()) {
    if (key.endsWith('.part')) continue
    // Files are written completely or not at all.
    if (await to.exists(key)) moved = { ...moved, present: moved.present + 1 }
    else {
      const bytes = await moveFile(from, to, key)
      if (bytes !== null) moved = { ...moved, files: moved.files + 1, bytes: moved.bytes + bytes }
    }
    onProgress(moved)
  }
  return moved
}

/** Returns the number of bytes; null if the file was deleted meanwhile. */
async function moveFile(from: Storage, to: Storage, key: string): Promise<number | null> {
  try {
    const source = hashing()
    const reading = pipeline(await from.open(key, null), source.through)
    // An error reaches `write` through the stream.
    reading.catch(() => undefined)
    const bytes = await to.write(key, source.through)
    await reading
    const copy = hashing()
    await pipeline(await to.open(key, null), copy.through.resume())
    if (source.sha256() !== copy.sha256()) {
      await to.delete(key)
      throw new Error(`The copy of ${key} in ${to.location} differs from the file in ${from.location}.`)
    }
    // A program that deletes it begins in `from`.
    if (await from.exists(key)) return bytes
    await to.delete(key)
    return null
  } catch (error) {
    if (error instanceof MissingFileError && !(await from.exists(key))) return null
    throw error
  }
}

function hashing(): { readonly through: Transform; readonly sha256: () => string } {
  const hash = createHash('sha256')
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { through, sha256: () => hash.digest('hex') }
}
