import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Bytes by key. A key is `<organization>/<kind>/<name>` of letters, digits, dots and dashes. */
export interface Storage {
  /**
   * Keeps what the stream carries, whole or not at all, replacing what was there.
   * @returns the number of bytes
   * @throws StorageLimitError when more than `maxBytes` arrive
   */
  write(key: string, content: Readable | Uint8Array, maxBytes?: number): Promise<number>
  /** @throws MissingFileError */
  read(key: string): Promise<Buffer>
  /**
   * The bytes from `start` to `end`, both included, or all of them; to the last one even if they are deleted meanwhile.
   * @throws MissingFileError
   */
  open(key: string, range: { start: number; end: number } | null): Promise<Readable>
  /** @throws MissingFileError */
  sizeBytes(key: string): Promise<number>
  exists(key: string): Promise<boolean>
  /** Succeeds also when there is nothing to delete. */
  delete(key: string): Promise<void>
  /** Rejects where nothing can be written, as on a full disk. */
  probeWrite(): Promise<void>
  /** Everything that is kept, unfinished writes included. */
  files(): AsyncIterable<{ key: string; modifiedAt: Date }>
}

export class StorageLimitError extends Error {}
/** There is nothing under the key. */
export class MissingFileError extends Error {}

/** The default: files below one folder that only the program's own user can read. */
export async function localStorage(folder: string): Promise<Storage> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = (key: string): string => {
    if (!/^[\w-]+(\/[\w.-]+)+$/.test(key) || key.includes('..')) throw new Error(`not a storage key: ${key}`)
    return join(folder, key)
  }
  return {
    write: (key, content, maxBytes = Infinity) => writeWhole(path(key), content, maxBytes),
    read: (key) => present(readFile(path(key))),
    open: async (key, range) => (await present(open(path(key)))).createReadStream(range ?? {}),
    sizeBytes: async (key) => (await present(stat(path(key)))).size,
    exists: (key) =>
      stat(path(key)).then(
        () => true,
        () => false,
      ),
    delete: (key) => rm(path(key), { force: true }),
    probeWrite: () => probeWrite(folder),
    files: () => filesBelow(folder),
  }
}

function present<T>(found: Promise<T>): Promise<T> {
  return found.catch((cause: unknown) => {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw missing ? new MissingFileError(cause.message, { cause }) : cause
  })
}

/** Large enough to need new blocks, which a file that is written in place would not. */
const probeBytes = 64 * 1024

/** Writes and syncs a file that has no name any more when it is written, so that a kill leaves nothing behind. */
async function probeWrite(folder: string): Promise<void> {
  const path = join(folder, `.probe-${randomUUID()}`)
  const file = await open(path, 'wx', 0o600)
  try {
    await rm(path)
    await file.writeFile(Buffer.alloc(probeBytes))
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* filesBelow(folder: string): AsyncGenerator<{ key: string; modifiedAt: Date }> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    const path = join(entry.parentPath, entry.name)
    // A file may go while the others are listed.
    const found = await stat(path).catch(() => null)
    if (found !== null) yield { key: relative(folder, path).split(sep).join('/'), modifiedAt: found.mtime }
  }
}

/** Written beside its place, synced, then renamed: a kill in the middle leaves no half of a file under the key. */
async function writeWhole(path: string, content: Readable | Uint8Array, maxBytes: number): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomUUID()}.part`
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > maxBytes ? new StorageLimitError(`more than ${maxBytes} bytes`) : null, chunk)
    },
  })
  try {
    await pipeline(content instanceof Uint8Array ? [content] : content, meter, createWriteStream(temporary, { mode: 0o600 }))
    const file = await open(temporary)
    await file.sync()
    await file.close()
    await rename(temporary, path)
    return size
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
