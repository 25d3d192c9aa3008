import { existsSync } from 'node:fs'
import { chmod, open, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const MAJOR = '18'

/** The folder of the engine's files inside the database's folder. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'pgdata')
}

/** Stands while the files are being laid out for the first time: what is found beside it was never used. */
const unfinished = (dataDir: string): string => join(dataDir, 'pgdata.unfinished')

/** @returns whether there is a database; false means that the engine will make one, to be completed by `finishCluster`. */
export async function prepareCluster(dataDir: string): Promise<boolean> {
  const folder = clusterFolder(dataDir)
  if (existsSync(unfinished(dataDir))) await rm(folder, { recursive: true, force: true })
  if (!existsSync(folder)) {
    await writeFile(unfinished(dataDir), '', { mode: 0o600 })
    await flush(dataDir)
    return false
  }
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '')
  if (version.trim() === MAJOR) return true
  throw new Error(
    version === ''
      ? `${folder} is not a database folder: PG_VERSION is missing`
      : `${folder} was written by PostgreSQL ${version.trim()}, this program carries ${MAJOR}: export it with the program that wrote it`,
  )
}

/** Everything to the disk and closed to others, then the mark goes. */
export async function finishCluster(dataDir: string): Promise<void> {
  await secure(clusterFolder(dataDir))
  await unlink(unfinished(dataDir))
  await flush(dataDir)
}

async function secure(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) await secure(join(folder, entry.name))
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name))
  await Promise.all(files.map((file) => flush(file, 0o600)))
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
