import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { openBulkSession, type BulkSession } from '../db/bulk-session.ts'
import { openEmbedded } from '../db/embedded/embedded.ts'
import { migrate, readMigrations, type MigrateOptions } from '../db/migrate.ts'
import { openPool, type Connection } from '../db/pool.ts'
import { isBeingRestored } from '../db/restore-marker.ts'
import { openJobs } from '../jobs/jobs.ts'
import type { Storage } from '../storage/storage.ts'
import { readMigrations as readApplied } from './catalog.ts'
import type { Header } from './format.ts'
import type { RestoreTarget } from './restore-backup.ts'

export interface OpenTarget extends RestoreTarget {
  /** Runs the migrations that the backup does not have. Returns their names. */
  migrate(options?: MigrateOptions): Promise<string[]>
  close(): Promise<void>
}

/** Opens the database that a backup is restored into. The embedded engine locks its folder. */
export async function openTarget(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined },
  files: FileTarget,
): Promise<OpenTarget> {
  if (databaseUrl !== undefined) return targetOn({ connectionString: databaseUrl }, files, async () => undefined)
  const engine = await openEmbedded({ dataDir: join(dataDir, 'db') })
  return targetOn({ stream: () => engine.stream() }, files, () => engine.close()).catch(async (error: unknown) => {
    await engine.close()
    throw error
  })
}

/** Opens a database that is deleted when it is closed. */
export async function openThrowawayTarget(): Promise<OpenTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-verify-'))
  const target = await openTarget({ dataDir: folder, databaseUrl: undefined }, readOnly)
  return {
    ...target,
    async close() {
      await target.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function targetOn(connection: Connection, files: FileTarget, closeEngine: () => Promise<void>): Promise<OpenTarget> {
  const session = await openBulkSession(connection)
  const pool = openPool(connection, { connections: 2, onLost: () => undefined })
  return {
    ...files,
    session,
    async createTables({ migrations, queueVersion }) {
      await migrate(pool, { only: migrations.map(({ name }) => name) })
      if (queueVersion === null) return
      // Loaded here, because the code of all jobs takes longer to load than the rest of a command.
      const { queues } = await import('../queues.ts')
      const jobs = await openJobs(pool, { queues, worker: null, onError: () => undefined })
      await jobs.stop()
    },
    migrate: (options) => migrate(pool, options),
    async close() {
      await session.close()
      await pool.end()
      await closeEngine()
    },
  }
}

/** @throws Error if the backup was made by a newer version, or with other migrations of the same name */
export async function assertKnownVersion({ migrations, programVersion }: Header): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]))
  for (const { name, sha256 } of migrations) {
    const expected = known.get(name)
    if (expected === undefined)
      throw new Error(
        `The backup was made by a newer Groundwork (${programVersion}): it has the migration ${name}. Install that version first.`,
      )
    if (sha256 !== null && sha256 !== expected) throw new Error(`The backup was made with another ${name} than the one of this version.`)
  }
}

/** @throws Error if the database has organizations or users, newer tables than the backup, or a running program */
export async function assertEmptyDatabase(session: BulkSession, header: Header): Promise<void> {
  const { query } = session
  const [running] = await query<{ programs: number }>(
    `select count(*)::int as programs from pg_stat_activity
     where datname = current_database() and application_name = 'groundwork' and pid <> pg_backend_pid()`,
  )
  if ((running?.programs ?? 0) > 0) throw new Error('A program is connected to the database. Stop all programs first.')
  const backedUp = new Set(header.migrations.map(({ name }) => name))
  const newer = (await readApplied(session)).filter(({ name }) => !backedUp.has(name))
  if (newer.length > 0)
    throw new Error(
      `The database has tables that are newer than the backup (${newer.map(({ name }) => name).join(', ')}). Use a new database.`,
    )
  if (await isBeingRestored((text) => query(text))) return
  for (const table of ['public.organization', 'identity."user"']) {
    const [found] = await query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table])
    if (found?.exists !== true) continue
    const [row] = await query<{ some: boolean }>(`select exists (select from ${table}) as some`)
    if (row?.some === true) throw new Error(`The database is not empty: ${table} has rows. Restore into a new database.`)
  }
}

/** @throws Error if there are files, unless they are those of a restore that did not end */
export async function assertEmptyStorage(storage: Storage, session: BulkSession): Promise<void> {
  if (await isBeingRestored((text) => session.query(text))) return
  for await (const { key } of storage.files()) throw new Error(`${storage.location} is not empty: it has the file ${key}.`)
}

/** The files of a restore. */
export type FileTarget = Pick<RestoreTarget, 'writeFile' | 'complete'>

/** Writes restored files to the storage, and gives the storage the id that the database knows. */
export const intoStorage = (storage: Storage): FileTarget => ({
  async writeFile(key, content) {
    await storage.write(key, Readable.from(content))
  },
  async complete({ storeId }) {
    if (storeId === null || (await storage.createId(storeId)) === storeId) return
    throw new Error(`${storage.location} has the files of another restore. Delete it, and restore again.`)
  },
})

/** Only reads the files, which checks their SHA-256. */
export const readOnly: FileTarget = {
  writeFile: (_key, content) => finished(Readable.from(content).resume()),
}
