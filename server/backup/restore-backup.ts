import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { BulkSession } from '../db/bulk-session.ts'
import { restoreMarker } from '../db/restore-marker.ts'
import { readArchive, type ArchiveEntry } from './archive.ts'
import { archiveChecks, readEntry, tableOf } from './archive-checks.ts'
import { loadRows, planBulkLoad } from './bulk-load.ts'
import { readQueueVersion } from './catalog.ts'
import { entryNames, exportHeaderName, parseHeader, type Header, type Manifest } from './format.ts'
import type { Progress } from './progress.ts'

export interface RestoreTarget {
  readonly session: BulkSession
  /** Creates the tables at the state of the backup, in an empty database. */
  createTables(header: Header): Promise<void>
  /** Stores a file and reads the content to its end. */
  writeFile(key: string, content: AsyncIterable<Buffer>): Promise<void>
  /** Runs after all files and rows were checked, before the rows are committed. */
  complete?(header: Header): Promise<void>
}

/** A backup whose header was read. */
export interface OpenBackup {
  readonly header: Header
  readonly headerContent: Buffer
  /** What follows the header. */
  readonly entries: AsyncGenerator<ArchiveEntry>
}

export interface RestoredBackup {
  readonly header: Header
  readonly manifest: Manifest
}

const decompress = promisify(gunzip)

/** Reads the header of a backup. @throws Error if the content is not a backup, damaged or incomplete */
export async function openBackup(source: Readable): Promise<OpenBackup> {
  const entries = readArchive(source)
  const first = await entries.next()
  if (first.done !== true && first.value.name === exportHeaderName)
    throw new Error('This file is the export of one organization, not a backup. Add it to an installation with "organizations import".')
  if (first.done === true || first.value.name !== entryNames.header) throw new Error('This file is not a backup of Groundwork.')
  const headerContent = await readEntry(first.value)
  return { header: parseHeader(headerContent.toString()), headerContent, entries }
}

/**
 * Restores a backup into an empty target and checks it against its SHA-256 sums and counts. All rows are added in one transaction,
 * which also removes the mark of an incomplete restore: after an error or a kill, the database is marked and has no rows.
 * @throws Error if the backup is damaged or incomplete
 */
export async function restoreBackup(
  { header, headerContent, entries }: OpenBackup,
  target: RestoreTarget,
  progress: Progress,
): Promise<RestoredBackup> {
  const { session } = target
  await session.query(`create schema if not exists ${restoreMarker}`)
  await target.createTables(header)
  if (header.queueVersion !== null && (await readQueueVersion(session)) !== header.queueVersion)
    throw new Error(`The backup has version ${header.queueVersion} of the job queue, which this version of Groundwork cannot restore.`)

  const checks = archiveChecks('backup', { ...header, name: entryNames.header, content: headerContent })
  let finish: (() => Promise<void>) | null = null
  try {
    for await (const entry of entries) {
      if (entry.name.startsWith(entryNames.files)) {
        const key = entry.name.slice(entryNames.files.length)
        await target.writeFile(key, checks.readFile(key, entry))
        progress.files(checks.files.count, checks.files.bytes)
        continue
      }
      const content = await checks.contentOf(entry)
      if (entry.name === entryNames.manifest) {
        const manifest = await checks.complete(content, entries)
        finish ??= await beginLoad(session, header)
        await setSequences(session, manifest)
        await target.complete?.(header)
        await finish()
        return { header, manifest }
      }
      if (entry.name.startsWith(entryNames.fileLists)) checks.compareFiles(content, entry.name)
      else {
        finish ??= await beginLoad(session, header)
        const at = tableOf(entry.name)
        const table = header.tables[at]
        if (table === undefined) throw new Error(`The backup has an unknown entry: ${entry.name}.`)
        const data = await decompress(content).catch(() => {
          throw checks.damaged(`${entry.name} cannot be decompressed`)
        })
        checks.addRows(at, data)
        await loadRows(session, table, data)
        progress.table(table.name, checks.rowsOf(at))
      }
    }
    throw new Error('The backup is incomplete: it has no manifest.')
  } catch (error) {
    if (finish !== null) await session.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Begins the transaction of all rows. Returns a function that completes the tables and commits it. */
async function beginLoad(session: BulkSession, { tables }: Header): Promise<() => Promise<void>> {
  await session.query('begin')
  await session.query(`set local maintenance_work_mem = '64MB'`)
  const names = tables.map(({ name }) => name)
  const { before, after } = await planBulkLoad(session, names)
  for (const statement of before) await session.query(statement)
  return async () => {
    for (const statement of after) await session.query(statement)
    await session.query(`drop schema ${restoreMarker} cascade`)
    await session.query('commit')
    // Without statistics, the planner takes each table for an empty one.
    for (const name of names) await session.query(`analyze ${name}`)
  }
}

async function setSequences({ query }: BulkSession, { sequences }: Manifest): Promise<void> {
  for (const { name, value, isCalled } of sequences) await query('select setval($1::regclass, $2::bigint, $3)', [name, value, isCalled])
}
