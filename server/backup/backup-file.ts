import { createReadStream } from 'node:fs'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { writeFileAtomically } from '../lib/durable-files.ts'

/** A place for one backup. */
export interface BackupFile {
  /** Stores what `write` writes, completely or not at all. */
  store<T>(write: (target: Writable) => Promise<T>): Promise<T>
  open(): Readable
}

/** A local file. While it is written it has another name, and it survives a power failure once it is stored. */
export const localBackupFile = (path: string): BackupFile => ({
  async store(write) {
    const stream = new PassThrough({ highWaterMark: 2 ** 20 })
    const stored = writeFileAtomically(path, stream)
    // Awaited below; an error reaches `write` through the stream.
    stored.catch(() => undefined)
    try {
      const written = await write(stream)
      stream.end()
      await stored
      return written
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)))
      await stored.catch(() => undefined)
      throw error
    }
  },
  open: () => createReadStream(path, { highWaterMark: 2 ** 20 }),
})
