import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { archiveWriter } from './archive.ts'
import type { Sequence } from './catalog.ts'
import { entryNames, type Manifest, type ManifestTable } from './format.ts'
import type { Progress } from './progress.ts'
import { rowDigest } from './row-digest.ts'

/** Writes the entries of a backup, and collects their sums for the manifest. */
export interface ArchiveEntries {
  addJson(name: string, value: unknown): Promise<void>
  addFile(key: string, file: { readonly sizeBytes: number; readonly content: AsyncIterable<Uint8Array> }): Promise<void>
  /** Adds the list of the last files. Call it after all files. */
  endFiles(): Promise<void>
  /** Adds the rows of the table with this index in the header. */
  addTable(at: number, name: string, parts: AsyncIterable<Buffer>): Promise<void>
  /** Writes the manifest and the end of the archive. */
  end(id: string, sequences: Sequence[]): Promise<{ readonly rows: number; readonly files: number; readonly bytes: number }>
}

const filesPerList = 1000
const compress = promisify(gzip)

export function archiveEntries(target: Writable, { now, progress }: { now: Date; progress: Progress }): ArchiveEntries {
  const archive = archiveWriter(target, now)
  const entries: { name: string; sha256: string }[] = []
  const tables: ManifestTable[] = []
  const files = { count: 0, bytes: 0 }
  let list: [key: string, sha256: string][] = []
  const add = async (name: string, content: Uint8Array): Promise<void> => {
    entries.push({ name, sha256: await archive.add(name, content.length, content) })
  }
  const endFiles = async (): Promise<void> => {
    if (list.length > 0) await add(`${entryNames.fileLists}${Math.ceil(files.count / filesPerList)}.json`, json(list))
    list = []
  }
  return {
    addJson: (name, value) => add(name, json(value)),
    async addFile(key, { sizeBytes, content }) {
      list.push([key, await archive.add(`${entryNames.files}${key}`, sizeBytes, content)])
      files.count += 1
      files.bytes += sizeBytes
      progress.files(files.count, files.bytes)
      if (list.length === filesPerList) await endFiles()
    },
    endFiles,
    async addTable(at, name, parts) {
      const digest = rowDigest()
      let part = 0
      for await (const { rows, compressed } of compressedParts(parts)) {
        digest.add(rows)
        await add(`${entryNames.tables}${at}-${name.replaceAll('"', '')}/${part}.gz`, await compressed)
        part += 1
        progress.table(name, digest.rows)
      }
      tables.push({ name, rows: digest.rows, digest: digest.digest() })
    },
    async end(id, sequences) {
      const manifest: Manifest = { id, tables, sequences, files, entries }
      const text = json(manifest)
      await archive.add(entryNames.manifest, text.length, text)
      const sum = Buffer.from(`${createHash('sha256').update(text).digest('hex')}\n`)
      await archive.add(entryNames.manifestSha256, sum.length, sum)
      await archive.end()
      return { rows: tables.reduce((total, { rows }) => total + rows, 0), files: files.count, bytes: archive.bytes }
    },
  }
}

interface Part {
  readonly rows: Buffer
  readonly compressed: Promise<Buffer>
}

/** Compresses the parts. The next part is read while one is compressed. */
async function* compressedParts(parts: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  let waiting: Part | null = null
  for await (const rows of parts) {
    const part = { rows, compressed: compress(rows, { level: 1 }) }
    // Awaited later; without a handler until then, an error would end the process.
    part.compressed.catch(() => undefined)
    if (waiting !== null) yield waiting
    waiting = part
  }
  if (waiting !== null) yield waiting
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
