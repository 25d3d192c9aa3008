import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { BulkSession } from '../db/bulk-session.ts'
import { restoreMarker } from '../db/restore-marker.ts'
import { readArchive, type ArchiveEntry } from './archive.ts'
import { loadRows, planBulkLoad } from './bulk-load.ts'
import { readQueueVersion } from './catalog.ts'
import { entryNames, parseFileList, parseHeader, parseManifest, type Header, type Manifest } from './format.ts'
import type { Progress } from './progress.ts'
import { rowDigest, type RowDigest } from './row-digest.ts'

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
  readonly headerSha256: string
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
  if (first.done === true || first.value.name !== entryNames.header) throw new Error('This file is not a backup of Groundwork.')
  const content = await contentOf(first.value)
  return { header: parseHeader(content.toString()), headerSha256: sha256(content), entries }
}

/**
 * Restores a backup into an empty target and checks it against its SHA-256 sums and counts. All rows are added in one transaction,
 * which also removes the mark of an incomplete restore: after an error or a kill, the database is marked and has no rows.
 * @throws Error if the backup is damaged or incomplete
 */
export async function restoreBackup(
  { header, headerSha256, entries }: OpenBackup,
  target: RestoreTarget,
  progress: Progress,
): Promise<RestoredBackup> {
  const { session } = target
  await session.query(`create schema if not exists ${restoreMarker}`)
  await target.createTables(header)
  if (header.queueVersion !== null && (await readQueueVersion(session)) !== header.queueVersion)
    throw new Error(`The backup has version ${header.queueVersion} of the job queue, which this version of Groundwork cannot restore.`)

  const sums = new Map([[entryNames.header as string, headerSha256]])
  const files = fileChecks()
  const rows = header.tables.map(() => rowDigest())
  let finish: (() => Promise<void>) | null = null
  try {
    for await (const entry of entries) {
      if (entry.name.startsWith(entryNames.files)) {
        const key = entry.name.slice(entryNames.files.length)
        await target.writeFile(key, files.reading(key, entry))
        progress.files(files.count, files.bytes)
        continue
      }
      const content = await contentOf(entry)
      if (entry.name === entryNames.manifest) {
        const manifest = await checkedManifest(content, entries)
        checkAgainst(manifest, { header, sums, files, rows })
        finish ??= await beginLoad(session, header)
        await setSequences(session, manifest)
        await target.complete?.(header)
        await finish()
        return { header, manifest }
      }
      sums.set(entry.name, sha256(content))
      if (entry.name.startsWith(entryNames.fileLists)) files.compare(parseFileList(content.toString(), entry.name))
      else {
        finish ??= await beginLoad(session, header)
        const at = tableOf(entry.name)
        const [table, digest] = [header.tables[at], rows[at]]
        if (table === undefined || digest === undefined) throw new Error(`The backup has an unknown entry: ${entry.name}.`)
        const data = await decompress(content).catch(() => {
          throw new Error(`The backup is damaged: ${entry.name} cannot be decompressed.`)
        })
        digest.add(data)
        await loadRows(session, table, data)
        progress.table(table.name, digest.rows)
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

const tableOf = (entryName: string): number => Number(/^tables\/(\d+)-/.exec(entryName)?.[1] ?? Number.NaN)

async function contentOf({ content }: ArchiveEntry): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

async function checkedManifest(content: Buffer, entries: AsyncGenerator<ArchiveEntry>): Promise<Manifest> {
  const { value, done } = await entries.next()
  if (done === true || value.name !== entryNames.manifestSha256)
    throw new Error('The backup is incomplete: it has no SHA-256 of its manifest.')
  if ((await contentOf(value)).toString().trim() !== sha256(content))
    throw new Error('The backup is damaged: its manifest does not match its SHA-256.')
  return parseManifest(content.toString())
}

interface Found {
  readonly header: Header
  readonly sums: ReadonlyMap<string, string>
  readonly files: FileChecks
  readonly rows: readonly RowDigest[]
}

/** @throws Error that names the first difference */
function checkAgainst(manifest: Manifest, { header, sums, files, rows }: Found): void {
  const damaged = (detail: string): Error => new Error(`The backup is damaged: ${detail}.`)
  if (manifest.id !== header.id) throw damaged('its manifest belongs to another backup')
  for (const { name, sha256: expected } of manifest.entries) {
    const found = sums.get(name)
    if (found === undefined) throw damaged(`${name} is missing`)
    if (found !== expected) throw damaged(`${name} does not match its SHA-256`)
  }
  if (sums.size !== manifest.entries.length) throw damaged(`it has ${sums.size} entries instead of ${manifest.entries.length}`)
  for (const [at, { name, rows: count, digest }] of manifest.tables.entries()) {
    const found = rows[at]
    if (found?.rows !== count) throw damaged(`${name} has ${found?.rows ?? 0} rows instead of ${count}`)
    if (found.digest() !== digest) throw damaged(`the rows of ${name} do not match their digest`)
  }
  if (files.unlisted > 0) throw damaged(`${files.unlisted} files have no SHA-256`)
  if (files.count !== manifest.files.count) throw damaged(`it has ${files.count} files instead of ${manifest.files.count}`)
}

interface FileChecks {
  /** Returns the content of a file, and computes its SHA-256 while it is read. */
  reading(key: string, entry: ArchiveEntry): AsyncIterable<Buffer>
  /** @throws Error that names the first file that differs */
  compare(list: readonly (readonly [key: string, sha256: string])[]): void
  readonly count: number
  readonly bytes: number
  /** Files since the last list. */
  readonly unlisted: number
}

function fileChecks(): FileChecks {
  const found = new Map<string, string>()
  let [count, bytes, unlisted] = [0, 0, 0]
  return {
    async *reading(key, { content, sizeBytes }) {
      const hash = createHash('sha256')
      for await (const chunk of content) {
        hash.update(chunk)
        yield chunk
      }
      found.set(key, hash.digest('hex'))
      count += 1
      unlisted += 1
      bytes += sizeBytes
    },
    compare(list) {
      for (const [key, expected] of list)
        if (found.get(key) !== expected) throw new Error(`The backup is damaged: the file ${key} does not match its SHA-256.`)
      unlisted -= list.length
      found.clear()
    },
    get count() {
      return count
    },
    get bytes() {
      return bytes
    },
    get unlisted() {
      return unlisted
    },
  }
}
