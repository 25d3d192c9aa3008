import { createHash, randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BulkSession } from '../db/bulk-session.ts'
import type { HeldFiles } from '../storage/storage.ts'
import { archiveWriter } from './archive.ts'
import { readMigrations, readQueueVersion, readSequences, readRows, readTables, type Table } from './catalog.ts'
import { entryNames, formatVersion, type Header, type Manifest, type ManifestTable } from './format.ts'
import type { Progress } from './progress.ts'
import { rowDigest } from './row-digest.ts'

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

const filesPerList = 1000
const compress = promisify(gzip)

/** Writes one consistent state of rows and files as an archive. */
export async function writeBackup(source: BackupSource, target: Writable, options: BackupOptions): Promise<WrittenBackup> {
  const archive = archiveWriter(target, options.now)
  const entries: { name: string; sha256: string }[] = []
  const addEntry = async (name: string, content: Uint8Array): Promise<void> => {
    entries.push({ name, sha256: await archive.add(name, content.length, content) })
  }
  const tables = await readTables(source.session)
  const header = await headerOf(source, tables, options)
  await addEntry(entryNames.header, json(header))

  const files = { count: 0, bytes: 0 }
  let list: [key: string, sha256: string][] = []
  const endList = async (): Promise<void> => {
    if (list.length > 0) await addEntry(`${entryNames.fileLists}${Math.ceil(files.count / filesPerList)}.json`, json(list))
    list = []
  }
  for await (const key of source.files.files()) {
    const { sizeBytes, content } = await source.files.open(key)
    list.push([key, await archive.add(`${entryNames.files}${key}`, sizeBytes, content)])
    files.count += 1
    files.bytes += sizeBytes
    options.progress.files(files.count, files.bytes)
    if (list.length === filesPerList) await endList()
  }
  await endList()

  const written: ManifestTable[] = []
  for (const [at, table] of tables.entries()) {
    const digest = rowDigest()
    let part = 0
    for await (const { rows, compressed } of compressedParts(source.session, table)) {
      digest.add(rows)
      await addEntry(`${entryNames.tables}${at}-${table.name.replaceAll('"', '')}/${part}.gz`, await compressed)
      part += 1
      options.progress.table(table.name, digest.rows)
    }
    written.push({ name: table.name, rows: digest.rows, digest: digest.digest() })
  }

  const manifest: Manifest = { id: header.id, tables: written, sequences: await readSequences(source.session), files, entries }
  const text = json(manifest)
  await archive.add(entryNames.manifest, text.length, text)
  const sum = Buffer.from(`${createHash('sha256').update(text).digest('hex')}\n`)
  await archive.add(entryNames.manifestSha256, sum.length, sum)
  await archive.end()
  const rows = written.reduce((total, table) => total + table.rows, 0)
  return { id: header.id, tables: tables.length, rows, files: files.count, bytes: archive.bytes }
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

interface Part {
  readonly rows: Buffer
  readonly compressed: Promise<Buffer>
}

/** Returns the rows of a table in parts. The next part is read while one is compressed. */
async function* compressedParts(session: BulkSession, table: Table): AsyncGenerator<Part> {
  let waiting: Part | null = null
  for await (const rows of readRows(session, table)) {
    const part = { rows, compressed: compress(rows, { level: 1 }) }
    // Awaited later; without a handler until then, an error would end the process.
    part.compressed.catch(() => undefined)
    if (waiting !== null) yield waiting
    waiting = part
  }
  if (waiting !== null) yield waiting
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
