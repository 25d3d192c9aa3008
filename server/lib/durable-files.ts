import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Creates a folder and its missing parents with mode 0700. All of them survive a power failure once this returns.
 * @param within an ancestor: it and the folders below are synced even if they exist, since another process may just have created them
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
 * Writes a file atomically in an existing folder, replacing an earlier file. It survives a power failure once this returns: the
 * bytes are synced before the rename, and the folder after it.
 */
export async function writeFileAtomically(path: string, content: Readable | Uint8Array, through?: Transform): Promise<void> {
  await writeViaTemporaryFile(path, content, through, (temporary) => rename(temporary, path))
}

/** Like `writeFileAtomically`, but does nothing if the file exists. Of several concurrent callers, exactly one creates it. */
export async function createFileIfMissing(path: string, content: Uint8Array): Promise<void> {
  await writeViaTemporaryFile(path, content, undefined, async (temporary) => {
    await link(temporary, path).catch(ignoringCode('EEXIST'))
    await rm(temporary)
  })
}

/** Deletes a file; succeeds if it does not exist. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncFolder(dirname(path)).catch(ignoringCode('ENOENT'))
}

async function writeViaTemporaryFile(
  path: string,
  content: Readable | Uint8Array,
  through: Transform | undefined,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`
  const source = content instanceof Uint8Array ? [content] : content
  const target = createWriteStream(temporary, { flags: 'wx', mode: 0o600 })
  try {
    await (through === undefined ? pipeline(source, target) : pipeline(source, through, target))
    await sync(temporary)
    await publish(temporary)
    await syncFolder(dirname(path))
  } catch (error) {
    await closed(target)
    await rm(temporary, { force: true })
    throw error
  }
}

/** Resolves when a stream that has ended or failed is closed: until then, it can still create its file. */
export async function closed(stream: Writable): Promise<void> {
  if (!stream.closed) await new Promise((done) => stream.once('close', done))
}

/** Flushes the entries of a folder to the device, so that they survive a power failure. */
export const syncFolder = (folder: string): Promise<void> => sync(folder)

async function sync(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const ignoringCode =
  (code: string) =>
  (error: NodeJS.ErrnoException): void => {
    if (error.code !== code) throw error
  }
