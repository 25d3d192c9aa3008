import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Creates a folder and its missing parents for this user alone. All of them survive a power failure once this returns.
 * @param within a folder above it: the parents below are synced even if they exist, as another process may just have created them
 */
export async function makeFolder(folder: string, within?: string): Promise<void> {
  const path = resolve(folder)
  const firstMade = await mkdir(path, { recursive: true, mode: 0o700 })
  const top = within === undefined ? (firstMade ?? null) : shorter(resolve(within), firstMade)
  if (top === null) return
  for (let made = path; made.length >= top.length && made !== dirname(made); made = dirname(made)) await syncFolder(dirname(made))
}

const shorter = (one: string, other: string | undefined): string => (other !== undefined && other.length < one.length ? other : one)

/**
 * Writes a file whole or not at all, replacing an earlier one, in a folder that exists. It survives a power failure once
 * this returns: its bytes are synced before it gets its name, and the folder after that.
 */
export async function writeWholeFile(path: string, content: Readable | Uint8Array, through?: Transform): Promise<void> {
  await writeBeside(path, content, through, (temporary) => rename(temporary, path))
}

/** Like `writeWholeFile`, but keeps an earlier file: of several callers at once, one creates the file. */
export async function createWholeFile(path: string, content: Uint8Array): Promise<void> {
  await writeBeside(path, content, undefined, async (temporary) => {
    await link(temporary, path).catch(unless('EEXIST'))
    await rm(temporary)
  })
}

/** Succeeds also when there is no such file. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncFolder(dirname(path)).catch(unless('ENOENT'))
}

async function writeBeside(
  path: string,
  content: Readable | Uint8Array,
  through: Transform | undefined,
  giveName: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`
  const source = content instanceof Uint8Array ? [content] : content
  const target = createWriteStream(temporary, { flags: 'wx', mode: 0o600 })
  try {
    await (through === undefined ? pipeline(source, target) : pipeline(source, through, target))
    await sync(temporary)
    await giveName(temporary)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** A folder's own sync covers the names of the files in it. */
const syncFolder = (folder: string): Promise<void> => sync(folder)

async function sync(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): void => {
    if (error.code !== code) throw error
  }
