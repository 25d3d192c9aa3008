import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { SourceError } from '../../lib/errors.ts'

export interface ZipEntry {
  readonly name: string
  readonly compressedBytes: number
  readonly expandedBytes: number
  readonly crc: number
  readonly method: number
  readonly offset: number
}

const limits = { entries: 10_000, expandedBytes: 300 * 2 ** 20, ratio: 200, ratioCountsFromBytes: 30 * 2 ** 20 }

/**
 * Reads the central directory of a ZIP archive and checks it before any parser does: number of entries, expanded size, ratio.
 * @throws SourceError corrupt_file, too_large
 */
export function readZip(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endRecord(view)
  const count = end === -1 ? 0 : view.getUint16(end + 10, true)
  if (count === 0) throw new SourceError('corrupt_file', 'The file is an archive whose directory is missing: it is cut short or damaged.')
  if (count > limits.entries) throw tooLarge(`${count} parts`, `${limits.entries}`)
  const entries: ZipEntry[] = []
  let at = view.getUint32(end + 16, true)
  for (let read = 0; read < count; read++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== 0x02014b50)
      throw new SourceError('corrupt_file', 'The file is an archive with a damaged directory.')
    const nameLength = view.getUint16(at + 28, true)
    entries.push({
      name: Buffer.from(bytes.subarray(at + 46, at + 46 + nameLength)).toString('utf8'),
      compressedBytes: view.getUint32(at + 20, true),
      expandedBytes: view.getUint32(at + 24, true),
      crc: view.getUint32(at + 16, true),
      method: view.getUint16(at + 10, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  const expanded = entries.reduce((sum, entry) => sum + entry.expandedBytes, 0)
  const ratio = expanded / bytes.length
  const expandedMb = `${Math.round(expanded / 2 ** 20)} MB`
  if (expanded > limits.expandedBytes) throw tooLarge(`${expandedMb} when unpacked`, `${limits.expandedBytes / 2 ** 20} MB`)
  if (ratio > limits.ratio && expanded > limits.ratioCountsFromBytes)
    throw tooLarge(`${expandedMb} when unpacked, ${Math.round(ratio)} times its size`, `${limits.ratio} times the size`)
  return entries
}

/** Returns an entry's content, at most as long as its directory entry declares. @throws SourceError corrupt_file, encrypted_file */
export function contentOfEntry(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const data = dataOfEntry(bytes, entry)
  const content = entry.method === 0 ? data : inflated(data, entry)
  if (crc32(content) !== entry.crc) throw damaged(entry.name)
  return content
}

/** Yields an entry's content in pieces. @throws SourceError corrupt_file, encrypted_file */
export async function* piecesOfEntry(bytes: Uint8Array, entry: ZipEntry): AsyncGenerator<Uint8Array, undefined> {
  const data = dataOfEntry(bytes, entry)
  const pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array> =
    entry.method === 0 ? [data] : createInflateRaw({ chunkSize: 256 * 1024 }).end(data)
  let [length, sum] = [0, 0]
  try {
    for await (const piece of pieces) {
      length += piece.length
      sum = crc32(piece, sum)
      // A declared size that is too small would pass the check of the directory.
      if (length > entry.expandedBytes) throw damaged(entry.name)
      yield piece
    }
  } catch (cause) {
    throw cause instanceof SourceError ? cause : damaged(entry.name, cause)
  }
  if (sum !== entry.crc) throw damaged(entry.name)
}

function dataOfEntry(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (entry.offset + 30 > view.byteLength) throw damaged(entry.name)
  if (view.getUint16(entry.offset + 6, true) & 1) throw new SourceError('encrypted_file', 'The file is protected by a password.')
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true)
  return bytes.subarray(start, start + entry.compressedBytes)
}

function inflated(data: Uint8Array, { name, expandedBytes }: ZipEntry): Uint8Array {
  try {
    return inflateRawSync(data, { maxOutputLength: expandedBytes + 1 })
  } catch (cause) {
    throw damaged(name, cause)
  }
}

function damaged(part: string, cause?: unknown): SourceError {
  return new SourceError('corrupt_file', `The file is damaged: its part ${part.slice(0, 100)} cannot be unpacked.`, { cause })
}

/** Returns the start of an entry's content as text; empty if it cannot be read. */
export function headOfEntry(bytes: Uint8Array, entry: ZipEntry): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (entry.offset + 30 > view.byteLength) return ''
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true)
  const data = bytes.subarray(start, start + Math.min(entry.compressedBytes, 2048))
  try {
    return Buffer.from(entry.method === 0 ? data : inflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH })).toString('utf8')
  } catch {
    return ''
  }
}

function endRecord(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at--)
    if (view.getUint32(at, true) === 0x06054b50) return at
  return -1
}

function tooLarge(what: string, limit: string): SourceError {
  return new SourceError('too_large', `The file is an archive of ${what}; at most ${limit} are read. Split it.`)
}
