import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { createFileIfMissing, makeFolder, removeFile, syncFolder, writeFileAtomically } from '../lib/durable-files.ts'
import { nullIfMissing } from '../lib/missing-file.ts'
import { deleteStaleHold, holdDeletions, moveToHeld } from './deletion-hold.ts'
import { folderParts, partsFolder } from './folder-parts.ts'
import type { IncomingFiles } from './incoming.ts'
import { checkedKey } from './keys.ts'
import { limitedTo } from './limited-to.ts'
import { MissingFileError } from './storage-error.ts'

/**
 * Stores bytes by key. A key is `<organization>/<kind>/<name>` of letters, digits, dots and dashes. All functions throw StorageError
 * if the store cannot be used at present.
 */
export interface Storage {
  /**
   * Stores the content under the key, completely or not at all, and replaces existing content. When it resolves, the content
   * survives a power failure.
   * @returns the number of bytes
   * @throws StorageLimitError for more than `maxBytes` bytes
   */
  write(key: string, content: Readable | Uint8Array, maxBytes?: number): Promise<number>
  /** @throws MissingFileError */
  read(key: string): Promise<Buffer>
  /**
   * Streams the bytes from `start` to `end`, both inclusive, or all bytes. A deletion does not interrupt the stream.
   * @throws MissingFileError
   */
  open(key: string, range: { start: number; end: number } | null): Promise<Readable>
  /** @throws MissingFileError */
  sizeBytes(key: string): Promise<number>
  exists(key: string): Promise<boolean>
  /** Also succeeds if nothing is stored under the key. */
  delete(key: string): Promise<void>
  /** Deletes all files of an organization, including unfinished writes. Returns the number of files. */
  deleteOrganization(organizationId: string): Promise<number>
  readonly incoming: IncomingFiles
  /** Returns the unique id of the store; null if it has none yet. */
  readId(): Promise<string | null>
  /** Sets the id if the store has none, and returns the id of the store. Of several concurrent callers, one sets it. */
  createId(id: string): Promise<string>
  /** The setting that selects the store, for messages. */
  readonly setting: 'DATA_DIR' | 'STORAGE_URL'
  /** Locations of the store and of its id, shown to the operator. */
  readonly location: string
  readonly idLocation: string
  /** Rejects if the store is not writable, for example if the disk is full. */
  probeWrite(): Promise<void>
  /** Lists all files, including unfinished writes with names of their own. */
  files(): AsyncIterable<{ key: string; modifiedAt: Date }>
  /** Lists writes in parts that have not ended. They are no files, but take space. */
  unfinishedWrites(): AsyncIterable<UnfinishedWrite>
  /** Deletes the parts of a write; succeeds if there are none. */
  cancelWrite(write: Pick<UnfinishedWrite, 'key' | 'id'>): Promise<void>
  /**
   * Keeps files readable for a backup that are deleted from now on, in all programs that use the store. They are deleted when it is
   * released, or after the process has ended.
   */
  holdDeletions(): Promise<HeldFiles>
}

export interface UnfinishedWrite {
  readonly key: string
  readonly id: string
  readonly startedAt: Date
}

export interface HeldFiles {
  /** Lists the complete files. A file that is deleted meanwhile may be listed twice. */
  files(): AsyncIterable<string>
  /** @throws MissingFileError */
  open(key: string): Promise<{ sizeBytes: number; content: Readable }>
  release(): Promise<void>
}

/** Creates the default storage: files in one folder that only the program's own user can read. */
export async function localStorage(folder: string): Promise<Storage> {
  await makeFolder(folder)
  await deleteStaleHold(folder)
  const makeFolderOnce = folderCreator(folder)
  const idFile = join(folder, 'store.id')
  const path = (key: string): string => join(folder, checkedKey(key))
  return {
    async write(key, content, maxBytes = Infinity) {
      const file = path(key)
      await makeFolderOnce(dirname(file))
      return writeLimited(file, content, maxBytes)
    },
    read: (key) => orMissingFileError(readFile(path(key))),
    open: async (key, range) => (await orMissingFileError(open(path(key)))).createReadStream(range ?? {}),
    sizeBytes: async (key) => (await orMissingFileError(stat(path(key)))).size,
    exists: (key) =>
      stat(path(key)).then(
        () => true,
        () => false,
      ),
    async delete(key) {
      const file = path(key)
      if (!(await moveToHeld(folder, key))) await removeFile(file)
    },
    async deleteOrganization(organizationId) {
      const own = dirname(path(`${organizationId}/all`))
      let deleted = 0
      for await (const { key } of filesBelow(folder, organizationId)) {
        if (!(await moveToHeld(folder, key))) await rm(path(key), { force: true })
        deleted += 1
      }
      for (const each of [own, join(folder, partsFolder, organizationId)]) await rm(each, { recursive: true, force: true })
      await syncFolder(folder)
      return deleted
    },
    async holdDeletions() {
      const hold = await holdDeletions(folder)
      return {
        async *files() {
          for await (const { key } of filesBelow(folder)) if (isStored(key)) yield key
          for await (const { key } of filesBelow(hold.folder)) yield key
        },
        open: async (key) => {
          const kept = await open(path(key)).catch(nullIfMissing)
          const file = kept ?? (await orMissingFileError(open(hold.pathOf(key))))
          return { sizeBytes: (await file.stat()).size, content: file.createReadStream() }
        },
        release: () => hold.release(),
      }
    },
    readId: () => readId(idFile),
    async createId(id) {
      await createFileIfMissing(idFile, Buffer.from(`${id}\n`))
      return (await readId(idFile)) ?? id
    },
    setting: 'DATA_DIR',
    location: folder,
    idLocation: idFile,
    probeWrite: () => probeWrite(folder),
    async *unfinishedWrites() {
      const started = new Map<string, Date>()
      for await (const { key, modifiedAt } of filesBelow(folder, partsFolder))
        started.set(dirname(key).slice(partsFolder.length + 1), modifiedAt)
      for (const [write, startedAt] of started) yield { key: dirname(write), id: basename(write), startedAt }
    },
    cancelWrite: ({ key, id }) => rm(join(folder, partsFolder, checkedKey(`${key}/${id}`)), { recursive: true, force: true }),
    incoming: folderParts(folder, async (key) => {
      await makeFolderOnce(dirname(path(key)))
      return path(key)
    }),
    async *files() {
      for await (const file of filesBelow(folder)) if (!file.key.startsWith('.')) yield file
    },
  }
}

/** Unfinished writes and held files have other names. */
const isStored = (key: string): boolean => !key.startsWith('.') && !key.endsWith('.part')

/**
 * Returns a function that creates folders below `root`. It creates and syncs each folder only once per process, and again after
 * another process has deleted it with its organization.
 */
function folderCreator(root: string): (folder: string) => Promise<void> {
  const made = new Map<string, Promise<void>>()
  return async (folder) => {
    const known = made.get(folder)
    if (known !== undefined) {
      await known
      if ((await stat(folder).catch(nullIfMissing)) !== null) return
      const newer = made.get(folder)
      if (newer !== known) return newer
    }
    const making = makeFolder(folder, root).catch((error: unknown) => {
      made.delete(folder)
      throw error
    })
    made.set(folder, making)
    return making
  }
}

function orMissingFileError<T>(found: Promise<T>): Promise<T> {
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

/** Large enough to need new blocks on the disk. */
const probeBytes = 64 * 1024

/** Writes and syncs a file that is already unlinked, so that a killed process leaves no file behind. */
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

/**
 * Lists the files of all folders below `root`. Each folder is read at once: `opendir` with `recursive` skips files while others are
 * renamed.
 */
async function* filesBelow(root: string, within = ''): AsyncGenerator<{ key: string; modifiedAt: Date }> {
  const entries = await readdir(join(root, within), { withFileTypes: true }).catch(nullIfMissing)
  for (const entry of entries ?? []) {
    const key = within === '' ? entry.name : `${within}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(root, key)
    // Keys contain a slash, so a file in the folder itself is not stored content.
    if (!entry.isFile() || within === '') continue
    // A file may be deleted during the listing.
    const found = await stat(join(root, key)).catch(nullIfMissing)
    if (found !== null) yield { key, modifiedAt: found.mtime }
  }
}

/** Writes the content and counts its bytes. Content that is too long fails and leaves no file. */
async function writeLimited(path: string, content: Readable | Uint8Array, maxBytes: number): Promise<number> {
  const { through, sizeBytes } = limitedTo(maxBytes)
  await writeFileAtomically(path, content, through)
  return sizeBytes()
}
