import { finished } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { readArchive, type ArchiveEntry } from '../backup/archive.ts'
import { archiveChecks, readEntry, tableOf } from '../backup/archive-checks.ts'
import type { BackupFile } from '../backup/backup-file.ts'
import { entryNames, parseJson } from '../backup/format.ts'
import type { Progress } from '../backup/progress.ts'
import {
  exportEntries,
  parseExportHeader,
  partSchemas,
  type ExportedJob,
  type ExportedSigningKey,
  type ExportedUser,
  type ExportHeader,
} from './format.ts'

/** Receives the content of an export in its order: rows of all tables, then files. */
export interface ExportReader {
  rows(table: ExportHeader['tables'][number], rows: Buffer): Promise<void>
  /** Reads the content to its end. */
  file(key: string, content: AsyncIterable<Buffer>): Promise<void>
}

/** Everything of an export but its rows and files. */
export interface ExportContent {
  readonly header: ExportHeader
  readonly users: readonly ExportedUser[]
  readonly signingKeys: readonly ExportedSigningKey[]
  readonly generations: readonly string[]
  readonly jobs: readonly ExportedJob[]
  readonly rows: number
  readonly files: number
}

/** Reads an export to check it. */
export const checking: ExportReader = {
  rows: async () => undefined,
  file: (_key, content) => finished(Readable.from(content).resume()),
}

const decompress = promisify(gunzip)

/**
 * Reads an export, and compares it with its SHA-256 sums and counts at the end.
 * @throws Error if the file is no export, damaged or incomplete
 */
export async function readExport(file: BackupFile, reader: ExportReader, progress: Progress): Promise<ExportContent> {
  const source = file.open()
  try {
    return await readEntries(readArchive(source), reader, progress)
  } finally {
    source.destroy()
  }
}

async function readEntries(entries: AsyncGenerator<ArchiveEntry>, reader: ExportReader, progress: Progress): Promise<ExportContent> {
  const { header, checks } = await open(entries)
  const parts = new Map<string, Buffer>()
  for await (const entry of entries) {
    if (entry.name.startsWith(entryNames.files)) {
      const key = entry.name.slice(entryNames.files.length)
      if (!key.startsWith(`${header.organization.id}/`)) throw checks.damaged(`the file ${key} belongs to another organization`)
      await reader.file(key, checks.readFile(key, entry))
      progress.files(checks.files.count, checks.files.bytes)
      continue
    }
    const content = await checks.contentOf(entry)
    if (entry.name === entryNames.manifest) {
      const manifest = await checks.complete(content, entries)
      const partOf = <Name extends keyof typeof partSchemas>(name: Name): ReturnType<(typeof partSchemas)[Name]['parse']> => {
        const found = partSchemas[name].safeParse(parseJson(parts.get(name)?.toString() ?? ''))
        if (!found.success) throw checks.damaged(`${name} cannot be read`)
        // The schema of this name has checked it.
        return found.data as ReturnType<(typeof partSchemas)[Name]['parse']>
      }
      return {
        header,
        users: partOf(exportEntries.users),
        signingKeys: partOf(exportEntries.signingKeys),
        generations: partOf(exportEntries.generations),
        jobs: partOf(exportEntries.jobs),
        rows: manifest.tables.reduce((total, { rows }) => total + rows, 0),
        files: manifest.files.count,
      }
    }
    if (entry.name.startsWith(entryNames.fileLists)) checks.compareFiles(content, entry.name)
    else if (entry.name in partSchemas) parts.set(entry.name, content)
    else {
      const at = tableOf(entry.name)
      const table = header.tables[at]
      if (table === undefined) throw checks.damaged(`it has the unknown entry ${entry.name}`)
      const rows = await decompress(content).catch(() => {
        throw checks.damaged(`${entry.name} cannot be decompressed`)
      })
      checks.addRows(at, rows)
      await reader.rows(table, rows)
      progress.table(table.name, checks.rowsOf(at))
    }
  }
  throw new Error('The export is incomplete: it has no manifest.')
}

async function open(entries: AsyncGenerator<ArchiveEntry>) {
  const first = await entries.next()
  if (first.done !== true && first.value.name === entryNames.header)
    throw new Error('This file is the backup of a whole installation, not the export of an organization. Use "restore" for it.')
  if (first.done === true || first.value.name !== exportEntries.header)
    throw new Error('This file is not the export of an organization of Groundwork.')
  const content = await readEntry(first.value)
  const header = parseExportHeader(content.toString())
  return { header, checks: archiveChecks('export', { ...header, name: exportEntries.header, content }) }
}
