import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { BulkSession } from '../db/bulk-session.ts'
import { isIndexCopy } from '../storage/keys.ts'
import type { HeldFiles } from '../storage/storage.ts'
import { archiveEntries } from './archive-entries.ts'
import { readMigrations, readQueueVersion, readSequences, readRows, readTables, type Table } from './catalog.ts'
import { entryNames, formatVersion, type Header } from './format.ts'
import type { Progress } from './progress.ts'

export interface BackupSource {
  /** In a transaction whose statements all see the same state. */
  readonly session: BulkSession
  readonly engine: 'embedded' | 'postgresql'
  readonly files: HeldFiles
}

export interface BackupOptions {
  readonly programVersion: string
  readonly now: Date
  /** Encrypts the secret key for the backup with this id; null leaves it out. */
  readonly sealSecretKey: ((backupId: string) => string) | null
  readonly progress: Progress
}

export interface WrittenBackup {
  readonly id: string
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly bytes: number
}

/** Writes one consistent state of rows and files as an archive. */
export async function writeBackup(source: BackupSource, target: Writable, options: BackupOptions): Promise<WrittenBackup> {
  const tables = await readTables(source.session)
  const header = await headerOf(source, tables, options)
  const entries = archiveEntries(target, options)
  await entries.addJson(entryNames.header, header)
  for await (const key of source.files.files()) {
    if (!isIndexCopy(key)) await entries.addFile(key, await source.files.open(key))
  }
  await entries.endFiles()
  for (const [at, table] of tables.entries()) await entries.addTable(at, table.name, readRows(source.session, table))
  const written = await entries.end(header.id, await readSequences(source.session))
  return { id: header.id, tables: tables.length, ...written }
}

async function headerOf(
  { session, engine }: BackupSource,
  tables: readonly Table[],
  { programVersion, now, sealSecretKey }: BackupOptions,
): Promise<Header> {
  const id = randomUUID()
  const migrations = await readMigrations(session)
  if (migrations.length === 0) throw new Error('There is nothing to back up: the database has no tables of Groundwork.')
  const [identity] = await session.query<{ store_id: string | null; check: string | null }>(
    `select store_id, encode(secret_key_check, 'hex') as check from installation.identity`,
  )
  return {
    format: 'groundwork-backup',
    formatVersion,
    id,
    programVersion,
    createdAt: now.toISOString(),
    engine,
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    queueVersion: await readQueueVersion(session),
    storeId: identity?.store_id ?? null,
    secretKeyCheck: identity?.check ?? null,
    sealedSecretKey: sealSecretKey === null ? null : sealSecretKey(id),
  }
}
