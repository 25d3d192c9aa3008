import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../lib/durable-files.ts'
import { nullIfMissing } from '../lib/missing-file.ts'

/** Folder of deleted files that a backup may still read, and of the hold itself. No key begins with a dot. */
const heldFolder = '.held'
const holdFile = 'hold'
const heartbeatMs = 5000
/** Age of the last heartbeat after which the holder counts as dead. */
const staleMs = 60_000

/** Deleted files that stay readable while a backup copies the files of the rows that it has read. */
export interface DeletionHold {
  /** Returns the path of a deleted file. */
  pathOf(key: string): string
  readonly folder: string
  /** Deletes the held files. */
  release(): Promise<void>
}

/** Holds deletions in a folder until it is released or this process ends. Only one hold at a time. */
export async function holdDeletions(root: string): Promise<DeletionHold> {
  const folder = join(root, heldFolder)
  if (await areDeletionsHeld(root)) throw new Error(`Another backup of ${root} is running, or was stopped within the last minute.`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  const hold = join(folder, holdFile)
  await writeFile(hold, '', { mode: 0o600 })
  const timer = setInterval(() => {
    const now = new Date()
    utimes(hold, now, now).catch(() => undefined)
  }, heartbeatMs)
  return {
    folder,
    pathOf: (key) => join(folder, key),
    async release() {
      clearInterval(timer)
      await rm(hold, { force: true })
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/**
 * Moves a file to the held ones, if deletions are held. Returns whether the file no longer has its own name. A hold whose process
 * has ended is removed with its files.
 */
export async function moveToHeld(root: string, key: string): Promise<boolean> {
  if (!(await areDeletionsHeld(root))) return false
  const target = join(root, heldFolder, key)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await rename(join(root, key), target).catch(nullIfMissing)
  await syncFolder(dirname(join(root, key))).catch(nullIfMissing)
  // The hold may have been released in between.
  if (!(await areDeletionsHeld(root))) await rm(target, { force: true })
  return true
}

/** Deletes files that a backup held and could not delete, because its process was killed. */
export async function deleteStaleHold(root: string): Promise<void> {
  if (!(await areDeletionsHeld(root))) await rm(join(root, heldFolder), { recursive: true, force: true })
}

async function areDeletionsHeld(root: string): Promise<boolean> {
  const found = await stat(join(root, heldFolder, holdFile)).catch(nullIfMissing)
  return found !== null && Date.now() - found.mtimeMs < staleMs
}
