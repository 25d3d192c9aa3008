import type { ImportErrorCode } from '@groundwork/api'
import type { Storage } from '../storage/storage.ts'
import { MissingFileError } from '../storage/storage-error.ts'
import { createCsvReader, TableError, type TableRow } from './csv-reader.ts'
import { guessDelimiter, guessWideEncoding } from './guess.ts'
import { guessEncoding } from '../lib/guess-encoding.ts'
import { xlsxRowsInProcess } from './xlsx-process.ts'

/** A file that cannot be imported. */
export class ImportFileError extends Error {
  readonly code: ImportErrorCode

  constructor(code: ImportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** How to read a file; encoding and delimiter are null for XLSX. */
export interface FileFormat {
  readonly kind: 'csv' | 'xlsx'
  readonly encoding: string | null
  readonly delimiter: string | null
  /** The file has bytes that are invalid in its encoding: they are read as U+FFFD. */
  readonly isDamaged?: boolean
}

export interface ImportedFile {
  readonly storage: Pick<Storage, 'open'>
  readonly key: string
}

const sampleBytes = 65_536

/**
 * Recognizes the format of a file.
 * @throws ImportFileError
 */
export async function guessFormat(file: ImportedFile, given: { encoding: string | null; delimiter: string | null }): Promise<FileFormat> {
  const sample = await firstBytes(file)
  if (sample.length === 0) throw new ImportFileError('empty_file', 'The file is empty.')
  if (sample.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return { kind: 'xlsx', encoding: null, delimiter: null }
  if (sample.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw new ImportFileError('unsupported_file', 'The file is an old Excel workbook (XLS) or encrypted. Save it as XLSX or CSV.')
  if (/^(?:%PDF|\{\\rtf|<!doctype|<html)/i.test(sample.toString('latin1', 0, 20)))
    throw new ImportFileError('unsupported_file', 'The file is neither CSV nor XLSX.')
  const likely = given.encoding ?? guessWideEncoding(sample) ?? 'utf-8'
  const isValid = await isText(file, likely)
  const encoding = isValid || given.encoding !== null || likely !== 'utf-8' ? likely : guessEncoding(await accentedLines(file))
  const isDamaged = !isValid && (encoding === likely || !(await isText(file, encoding)))
  const text = new TextDecoder(encoding).decode(sample, { stream: true })
  if (text.includes('\u0000')) throw new ImportFileError('unsupported_file', 'The file is neither CSV nor XLSX.')
  return { kind: 'csv', encoding, delimiter: given.delimiter ?? guessDelimiter(text), ...(isDamaged && { isDamaged }) }
}

/**
 * Yields the rows of the file in groups.
 * @throws ImportFileError
 */
export async function* readRows(file: ImportedFile, { kind, encoding, delimiter }: FileFormat): AsyncGenerator<TableRow[]> {
  try {
    yield* kind === 'xlsx' ? xlsxRowsInProcess(() => opened(file)) : csvRows(file, encoding ?? 'utf-8', delimiter ?? ',')
  } catch (error) {
    if (error instanceof TableError) throw new ImportFileError('corrupt_file', error.message, { cause: error })
    throw error
  }
}

async function* csvRows(file: ImportedFile, encoding: string, delimiter: string): AsyncGenerator<TableRow[]> {
  const reader = createCsvReader(delimiter)
  const decoder = new TextDecoder(encoding)
  for await (const bytes of await opened(file)) {
    const rows = reader.push(decoder.decode(bytes, { stream: true }))
    if (rows.length > 0) yield rows
  }
  const last = [...reader.push(decoder.decode()), ...reader.end()]
  if (last.length > 0) yield last
}

/** Returns whether all bytes are valid in the encoding. */
async function isText(file: ImportedFile, encoding: string): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const bytes of await opened(file)) decoder.decode(bytes, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Returns the first lines with bytes above 7F. Divides very long lines. */
async function accentedLines(file: ImportedFile): Promise<Buffer> {
  const lines: string[] = []
  let length = 0
  let rest = ''
  const add = (line: string): void => {
    if (!/[\x80-\xff]/.test(line)) return
    lines.push(line)
    length += line.length
  }
  for await (const bytes of await opened(file)) {
    const parts = (rest + bytes.toString('latin1')).split(/[\r\n]+/)
    rest = (parts.at(-1)?.length ?? 0) < sampleBytes ? (parts.pop() ?? '') : ''
    parts.forEach(add)
    if (length >= sampleBytes) break
  }
  add(rest)
  return Buffer.from(lines.join('\n').slice(0, sampleBytes), 'latin1')
}

async function firstBytes(file: ImportedFile): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const bytes of await opened(file)) {
    parts.push(bytes)
    length += bytes.length
    if (length >= sampleBytes) break
  }
  return Buffer.concat(parts).subarray(0, sampleBytes)
}

async function opened({ storage, key }: ImportedFile): Promise<AsyncIterable<Buffer>> {
  try {
    return await storage.open(key, null)
  } catch (error) {
    if (!(error instanceof MissingFileError)) throw error
    throw missingFile(error)
  }
}

export const missingFile = (cause?: unknown): ImportFileError =>
  new ImportFileError('file_missing', 'The uploaded file does not exist any more. Upload it again.', { cause })
