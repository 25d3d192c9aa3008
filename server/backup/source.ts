import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openBulkSession, type BulkSession } from '../db/bulk-session.ts'
import { copyEmbedded } from '../db/embedded/copy-folder.ts'
import { connectToRunning, openEmbedded } from '../db/embedded/embedded.ts'
import type { Storage } from '../storage/storage.ts'
import type { BackupSource } from './write-backup.ts'

export interface SourceOptions {
  readonly dataDir: string
  /** A PostgreSQL server; the embedded engine without it. */
  readonly databaseUrl: string | undefined
  readonly storage: Storage
}

export interface OpenSource extends BackupSource {
  close(): Promise<void>
}

/**
 * Opens one consistent state of rows and files, beside running programs. Files that are deleted from now on stay readable.
 *
 * A PostgreSQL server gives a snapshot: one transaction with isolation level REPEATABLE READ. The embedded engine has a single
 * session, in which a long transaction would keep all requests waiting. So its files are copied (`copyEmbedded`), and a second engine
 * in this process reads the copy.
 */
export async function openSource(options: SourceOptions): Promise<OpenSource> {
  // Held before the state is read: the files of all rows in this state are then readable.
  const files = await options.storage.holdDeletions()
  try {
    const opened = options.databaseUrl === undefined ? await openCopy(options.dataDir) : await openServer(options.databaseUrl)
    return {
      ...opened,
      files,
      async close() {
        await files.release()
        await opened.close()
      },
    }
  } catch (error) {
    await files.release()
    throw error
  }
}

type Opened = Pick<OpenSource, 'session' | 'engine' | 'close'>

const beginSnapshot = 'begin isolation level repeatable read read only'

async function openServer(databaseUrl: string): Promise<Opened> {
  const session = await openBulkSession({ connectionString: databaseUrl })
  try {
    await session.query(beginSnapshot)
    // The first statement takes the snapshot.
    await session.query('select 1')
  } catch (error) {
    await session.close()
    throw error
  }
  return { session, engine: 'postgresql', close: () => session.close() }
}

async function openCopy(dataDir: string): Promise<Opened> {
  const database = join(dataDir, 'db')
  const folder = await copyFolder(dataDir)
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await copyEmbedded(database, folder, () => checkpointIfRunning(database))
    const engine = await openEmbedded({ dataDir: folder })
    const session = await openBulkSession({ stream: () => engine.stream() })
    await session.query(beginSnapshot)
    return {
      session,
      engine: 'embedded',
      async close() {
        await session.close()
        await engine.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** A copy by name and place; those of processes that were killed are deleted first. */
async function copyFolder(dataDir: string): Promise<string> {
  const prefix = 'backup-copy-'
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(prefix))
  // Only one backup runs at a time, which the hold of deletions ensures.
  for (const name of names) await rm(join(dataDir, name), { recursive: true, force: true })
  return join(dataDir, `${prefix}${process.pid}`)
}

async function checkpointIfRunning(database: string): Promise<void> {
  const running = await connectToRunning(database)
  if (running === null) return
  const session: BulkSession = await openBulkSession({ stream: running })
  try {
    await session.query('checkpoint')
  } finally {
    await session.close()
  }
}
