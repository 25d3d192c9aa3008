import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { childEntry } from '../../lib/entry.ts'

const MAJOR = '18'

/** The folder of the engine's files inside the database's folder. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'pgdata')
}

/**
 * Makes the database if there is none, and refuses one that this engine cannot read.
 * @param archive zip file with the files of a new database; without it, a new database is empty
 */
export async function prepareCluster(dataDir: string, archive?: string): Promise<void> {
  const folder = clusterFolder(dataDir)
  if (!existsSync(folder)) return make(dataDir, archive)
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '')
  if (version.trim() === MAJOR) return
  throw new Error(
    version === ''
      ? `${folder} is not a database folder: PG_VERSION is missing`
      : `${folder} was written by PostgreSQL ${version.trim()}, this program carries ${MAJOR}: export it with the program that wrote it`,
  )
}

/**
 * Makes the database beside its place, from an archive or by a process of its own, whose memory ends with it; the rename makes
 * it count. The remains of a killed process are never used.
 */
async function make(dataDir: string, archive: string | undefined): Promise<void> {
  const leftOver = (await readdir(dataDir)).filter((name) => name.startsWith('pgdata.new-'))
  for (const name of leftOver) await rm(join(dataDir, name), { recursive: true, force: true })
  const fresh = join(dataDir, `pgdata.new-${process.pid}`)
  if (archive !== undefined) await unpack(await readFile(archive), fresh)
  else await promisify(execFile)(process.execPath, [...childEntry(import.meta.url, './create-cluster'), fresh])
  await secure(fresh)
  await rename(fresh, clusterFolder(dataDir))
  await flush(dataDir)
}

/** The archive has each folder before its files. */
async function unpack(zip: Uint8Array, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  for (const [path, bytes] of Object.entries(unzipSync(zip))) {
    const target = join(folder, path)
    if (path.endsWith('/')) await mkdir(target, { mode: 0o700 })
    else await writeFile(target, bytes, { mode: 0o600, flag: 'wx' })
  }
}

/** Everything to the device and closed to other users. */
async function secure(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  const entries = await readdir(folder, { withFileTypes: true })
  await Promise.all(
    entries.map((entry) => (entry.isDirectory() ? secure(join(folder, entry.name)) : flush(join(folder, entry.name), 0o600))),
  )
  await flush(folder)
}

async function flush(path: string, mode?: number): Promise<void> {
  const handle = await open(path, 'r')
  try {
    if (mode !== undefined) await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
