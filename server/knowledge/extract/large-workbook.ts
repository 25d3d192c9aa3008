import { sourceWarning } from '@groundwork/api'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, Part } from './draft.ts'
import { openPackage } from './office-package.ts'
import { cellFormats, type CellFormats } from './cell-formats.ts'
import { drawingsOf } from './sheet-drawings.ts'
import { readSharedStrings, readSheetRows } from './sheet-rows.ts'
import { rowTables } from './row-tables.ts'
import { all, at, textOf } from './xml.ts'
import { readZip, type ZipEntry } from './zip.ts'

/** Unpacked size of the cells above which SheetJS, which holds each cell as an object, takes too much memory. */
const largeFromBytes = 32 * 2 ** 20

/** Returns whether the file is a workbook (xlsx) with so many cells that it is read as a stream. @throws SourceError corrupt_file, too_large */
export function isLargeWorkbook(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return false
  const cells = readZip(bytes).filter(({ name }) => /^\/?xl\/(?:worksheets\/[^/]+|sharedStrings)\.xml$/i.test(name))
  return cells.reduce((sum, { expandedBytes }) => sum + expandedBytes, 0) > largeFromBytes
}

/**
 * Extracts a workbook (xlsx) of up to a million rows as a stream: a heading for each sheet, then its tables with displayed values
 * and its charts. Hidden sheets and comments are left out, merged cells are not repeated.
 * @throws SourceError corrupt_file, encrypted_file, too_large
 */
export async function extractLargeWorkbook(bytes: Uint8Array): Promise<Draft> {
  const entries = new Map(readZip(bytes).map((entry) => [entry.name.replace(/^\//, ''), entry]))
  const file = openPackage(bytes)
  const main = [...file.relations('').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  const workbook = at(file.xml(main), 'workbook')
  const relations = file.relations(main)
  const sheets = all(at(workbook, 'sheets'), 'sheet')
  if (sheets.length === 0) throw new SourceError('corrupt_file', 'The file is damaged: it has no list of sheets.')
  const shown = sheets.filter(({ attributes }) => attributes['state'] === undefined || attributes['state'] === 'visible')
  const partOfType = (wanted: string): string | undefined => [...relations.values()].find(({ type }) => type === wanted)?.target
  const styles = file.xml(partOfType('styles') ?? '')
  const formats = cellFormats(styles, at(workbook, 'workbookPr')?.attributes['date1904'])
  const texts = entries.get(partOfType('sharedStrings') ?? '')
  const strings = texts ? await readSharedStrings(bytes, texts) : []
  const drawings = drawingsOf(bytes)
  const parts: Part[] = []
  let commented = 0
  for (const { attributes } of shown) {
    const name = attributes['name'] ?? ''
    const target = relations.get(attributes['r:id'] ?? '')?.target ?? ''
    const entry = entries.get(target)
    const content = [...(entry ? await sheetParts(bytes, entry, strings, formats) : []), ...(drawings.get(name) ?? [])]
    if (content.length > 0) parts.push({ kind: 'heading', level: 1, text: name })
    for (const part of content) parts.push(part)
    if ([...file.relations(target).values()].some(({ type }) => /comment/i.test(type))) commented++
  }
  const hidden = sheets.length - shown.length
  return {
    parts,
    title: textOf(at(file.xml('docProps/core.xml'), 'coreProperties', 'title')),
    warnings: [
      ...(hidden > 0 ? [sourceWarning('sheets_hidden', { count: hidden, total: sheets.length })] : []),
      ...(commented > 0 ? [sourceWarning('comments_left_out', { count: commented, total: sheets.length })] : []),
    ],
  }
}

async function sheetParts(bytes: Uint8Array, entry: ZipEntry, strings: readonly string[], formats: CellFormats): Promise<Part[]> {
  const tables = rowTables()
  await readSheetRows(bytes, entry, { strings, formats, onRow: (row, cells) => tables.add(row, cells) })
  return tables.end()
}
