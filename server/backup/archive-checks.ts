import { createHash } from 'node:crypto'
import type { ArchiveEntry } from './archive.ts'
import { entryNames, parseFileList, parseManifest, type Manifest } from './format.ts'
import { rowDigest, type RowDigest } from './row-digest.ts'

/** Compares the entries of an archive with its manifest, while they are read. */
export interface ArchiveChecks {
  /** Reads the content of an entry that is no file, and remembers its SHA-256. */
  contentOf(entry: ArchiveEntry): Promise<Buffer>
  /** Returns the content of a file, and computes its SHA-256 while it is read. */
  readFile(key: string, entry: ArchiveEntry): AsyncIterable<Buffer>
  /** Adds rows of the table with this index. */
  addRows(table: number, rows: Buffer): void
  /** Compares the files since the last list with it. @throws Error that names the first file that differs */
  compareFiles(content: Buffer, name: string): void
  /**
   * Compares everything that was read with the manifest, and returns it. Reads the entry after it.
   * @throws Error that names the first difference
   */
  complete(content: Buffer, entries: AsyncGenerator<ArchiveEntry>): Promise<Manifest>
  readonly files: { readonly count: number; readonly bytes: number }
  /** Number of rows of the table so far. */
  rowsOf(table: number): number
  /** Returns an error that says that the archive is damaged. */
  damaged(detail: string): Error
}

export interface CheckedHeader {
  readonly id: string
  readonly content: Buffer
  readonly name: string
  readonly tables: readonly unknown[]
}

/** @param subject what the archive is, for messages */
export function archiveChecks(subject: 'backup' | 'export', header: CheckedHeader): ArchiveChecks {
  const damaged = (detail: string): Error => new Error(`The ${subject} is damaged: ${detail}.`)
  const sums = new Map([[header.name, sha256(header.content)]])
  const digests: RowDigest[] = header.tables.map(() => rowDigest())
  const found = new Map<string, string>()
  let [count, bytes, unlisted] = [0, 0, 0]

  const compare = (manifest: Manifest): void => {
    if (manifest.id !== header.id) throw damaged(`its manifest belongs to another ${subject}`)
    for (const { name, sha256: expected } of manifest.entries) {
      const sum = sums.get(name)
      if (sum === undefined) throw damaged(`${name} is missing`)
      if (sum !== expected) throw damaged(`${name} does not match its SHA-256`)
    }
    if (sums.size !== manifest.entries.length) throw damaged(`it has ${sums.size} entries instead of ${manifest.entries.length}`)
    for (const [at, { name, rows, digest }] of manifest.tables.entries()) {
      const read = digests[at]
      if (read?.rows !== rows) throw damaged(`${name} has ${read?.rows ?? 0} rows instead of ${rows}`)
      if (read.digest() !== digest) throw damaged(`the rows of ${name} do not match their digest`)
    }
    if (unlisted > 0) throw damaged(`${unlisted} files have no SHA-256`)
    if (count !== manifest.files.count) throw damaged(`it has ${count} files instead of ${manifest.files.count}`)
  }

  return {
    async contentOf(entry) {
      const content = await readEntry(entry)
      if (entry.name !== entryNames.manifest) sums.set(entry.name, sha256(content))
      return content
    },
    async *readFile(key, { content, sizeBytes }) {
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
    addRows(table, rows) {
      const digest = digests[table]
      if (digest === undefined) throw damaged(`it has rows of an unknown table`)
      digest.add(rows)
    },
    compareFiles(content, name) {
      const list = parseFileList(content.toString())
      if (list === null) throw damaged(`${name} cannot be read`)
      for (const [key, expected] of list) if (found.get(key) !== expected) throw damaged(`the file ${key} does not match its SHA-256`)
      unlisted -= list.length
      found.clear()
    },
    async complete(content, entries) {
      const { value, done } = await entries.next()
      if (done === true || value.name !== entryNames.manifestSha256)
        throw new Error(`The ${subject} is incomplete: it has no SHA-256 of its manifest.`)
      if ((await readEntry(value)).toString().trim() !== sha256(content)) throw damaged('its manifest does not match its SHA-256')
      const manifest = parseManifest(content.toString())
      compare(manifest)
      return manifest
    },
    get files() {
      return { count, bytes }
    },
    rowsOf: (table) => digests[table]?.rows ?? 0,
    damaged,
  }
}

/** Returns the index of the table of an entry in the header; NaN for another entry. */
export const tableOf = (entryName: string): number => Number(/^tables\/(\d+)-/.exec(entryName)?.[1] ?? Number.NaN)

/** Reads the content of an entry. */
export async function readEntry({ content }: ArchiveEntry): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
