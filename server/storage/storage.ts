import { randomUUID } from 'node:crypto'
import { open, opendir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { createWholeFile, makeFolder, removeFile, writeWholeFile } from '../lib/durable-files.ts'
import { nullIfMissing } from '../lib/missing-file.ts'

/** Bytes by key. A key is `<organization>/<kind>/<name>` of letters, digits, dots and dashes. */
export interface Storage {
  /**
   * Keeps what the stream carries, whole or not at all, replacing what was there. It survives a power failure from then on.
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
  /** Returns the id of the store, which tells it from others; null before it has one. */
  readId(): Promise<string | null>
  /** Gives the store its id, and returns the one that it has from then on: of several callers at once, one decides. */
  createId(id: string): Promise<string>
  /** Where the store is, and where its id is, for the operator. */
  readonly location: string
  readonly idLocation: string
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
  await makeFolder(folder)
  const makeFolderOnce = folderMaker(folder)
  const idFile = join(folder, 'store.id')
  const path = (key: string): string => {
    if (!/^[\w-]+(\/[\w.-]+)+$/.test(key) || key.includes('..')) throw new Error(`not a storage key: ${key}`)
    return join(folder, key)
  }
  return {
    async write(key, content, maxBytes = Infinity) {
      const file = path(key)
      await makeFolderOnce(dirname(file))
      return writeMetered(file, content, maxBytes)
    },
    read: (key) => present(readFile(path(key))),
    open: async (key, range) => (await present(open(path(key)))).createReadStream(range ?? {}),
    sizeBytes: async (key) => (await present(stat(path(key)))).size,
    exists: (key) =>
      stat(path(key)).then(
        () => true,
        () => false,
      ),
    delete: (key) => removeFile(path(key)),
    readId: () => readId(idFile),
    async createId(id) {
      await createWholeFile(idFile, Buffer.from(`${id}\n`))
      return (await readId(idFile)) ?? id
    },
    location: folder,
    idLocation: idFile,
    probeWrite: () => probeWrite(folder),
    files: () => filesBelow(folder),
  }
}

/** Makes folders below `root`. One that this process has made or synced before costs no further sync. */
function folderMaker(root: string): (folder: string) => Promise<void> {
  const made = new Map<string, Promise<void>>()
  return (folder) => {
    const known = made.get(folder)
    if (known !== undefined) return known
    const making = makeFolder(folder, root).catch((error: unknown) => {
      made.delete(folder)
      throw error
    })
    made.set(folder, making)
    return making
  }
}

function present<T>(found: Promise<T>): Promise<T> {
  return found.catch((cause: unknown) => {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw missing ? new MissingFileError(cause.message, { cause }) : cause
  })
}

const readId = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )

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
    // A key has a slash: a file in the folder itself is the store's own.
    if (!entry.isFile() || entry.parentPath === folder) continue
    const path = join(entry.parentPath, entry.name)
    // A file may be deleted while the others are listed.
    const found = await stat(path).catch(nullIfMissing)
    if (found !== null) yield { key: relative(folder, path).split(sep).join('/'), modifiedAt: found.mtime }
  }
}

/** Writes through a meter, so that a stream that is too long ends with an error and leaves no file. */
async function writeMetered(path: string, content: Readable | Uint8Array, maxBytes: number): Promise<number> {
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > maxBytes ? new StorageLimitError(`more than ${maxBytes} bytes`) : null, chunk)
    },
  })
  await writeWholeFile(path, content, meter)
  return size
}
