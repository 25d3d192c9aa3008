import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../../lib/missing-file.ts'
import { holdCheckpoints } from './checkpoint-hold.ts'
import { clusterFolder } from './cluster.ts'

const maxAttempts = 5
const controlFile = join('global', 'pg_control')
const logFolder = 'pg_wal'

/**
 * Copies the files of an embedded database while a program writes to it. Opening the copy replays its write-ahead log, which
 * gives the state at the end of the copy: all transactions that were committed by then, and no others.
 *
 * This is the order of pg_basebackup: the control file, which names the last checkpoint, then the data files, then the log. A
 * data file may be copied while it changes. Each change is in the log since the checkpoint, with a full image of each page that
 * it touches first (`full_page_writes`). The engine writes a change to the log before it writes the page, so a log that is
 * copied last has all changes of the pages. A checkpoint meanwhile would recycle that log. Maintenance therefore writes none, and
 * if the program stops or its engine restarts, the control file differs in the end and the copy starts again.
 *
 * @param checkpoint lets a running program write a checkpoint, so that there is little log to copy and to replay
 * @param target a folder that does not exist; `openEmbedded` opens it
 * @throws Error if the folder has no database, or if there was a checkpoint during each of several attempts
 */
export async function copyEmbedded(dataDir: string, target: string, checkpoint: () => Promise<void>): Promise<void> {
  if (!existsSync(join(clusterFolder(dataDir), controlFile))) throw new Error(`There is no embedded database in ${dataDir}.`)
  const release = await holdCheckpoints(dataDir)
  try {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      await checkpoint()
      if (await copyOnce(clusterFolder(dataDir), clusterFolder(target))) return
      await rm(target, { recursive: true, force: true })
    }
    throw new Error(`The database in ${dataDir} wrote a checkpoint during each of ${maxAttempts} copies. Try again.`)
  } finally {
    await release()
  }
}

/** Returns whether the control file is still the same afterwards. */
async function copyOnce(source: string, target: string): Promise<boolean> {
  const control = await readFile(join(source, controlFile))
  await mkdir(target, { recursive: true, mode: 0o700 })
  await copyFolder(source, target, (path) => path !== controlFile && path !== logFolder)
  await writeFile(join(target, controlFile), control, { mode: 0o600 })
  await mkdir(join(target, logFolder), { mode: 0o700 })
  await copyFolder(join(source, logFolder), join(target, logFolder), () => true)
  return control.equals(await readFile(join(source, controlFile)))
}

/** @param isCopied receives paths relative to the folder */
async function copyFolder(source: string, target: string, isCopied: (path: string) => boolean, within = ''): Promise<void> {
  for (const entry of await readdir(join(source, within), { withFileTypes: true })) {
    const path = join(within, entry.name)
    if (!isCopied(path)) continue
    if (entry.isDirectory()) {
      await mkdir(join(target, path), { recursive: true, mode: 0o700 })
      await copyFolder(source, target, isCopied, path)
      // The file of a table that is dropped meanwhile is missing; the log has its removal.
    } else if (entry.isFile()) await copyFile(join(source, path), join(target, path), constants.COPYFILE_FICLONE).catch(nullIfMissing)
  }
}
