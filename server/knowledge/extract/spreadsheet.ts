import { sourceWarning } from '@groundwork/api'
import { read, utils, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { SourceError } from '../../lib/errors.ts'
import { withAllDigits } from './cell-formats.ts'
import { commentText } from './comment.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { extractLargeWorkbook, isLargeWorkbook } from './large-workbook.ts'
import { extractOffice } from './office.ts'
import { drawingsOf } from './sheet-drawings.ts'
import { regionsOf } from './sheet-regions.ts'
import { markdownTable } from './table.ts'
import { isTitle } from './title.ts'

/**
 * Extracts spreadsheets (xlsx, xls, ods) by SheetJS: a heading for each sheet, then its tables with displayed values, comments
 * and charts. Hidden sheets are left out. Cells are stored by address, so distant cells cost nothing extra. Large workbooks are
 * read as a stream.
 * @throws SourceError corrupt_file, encrypted_file, too_large
 */
export async function extractSpreadsheet(input: ExtractInput): Promise<Draft> {
  const { bytes } = input
  if (isLargeWorkbook(bytes)) return extractLargeWorkbook(bytes)
  const book = open(bytes)
  // SheetJS rejects some malformed packages that anydoc reads.
  if (!book) return extractOffice(input)
  const hidden = new Set((book.Workbook?.Sheets ?? []).flatMap(({ name, Hidden }) => (Hidden && name ? [name] : [])))
  const shown = book.SheetNames.filter((name) => !hidden.has(name))
  const drawings = drawingsOf(bytes)
  const parts = shown.flatMap((name) => {
    const sheet = book.Sheets[name]
    const content = [...(sheet ? sheetParts(sheet) : []), ...(drawings.get(name) ?? [])]
    return content.length > 0 ? [{ kind: 'heading' as const, level: 1, text: name }, ...content] : []
  })
  return {
    parts,
    title: isTitle(book.Props?.Title ?? '') ? (book.Props?.Title ?? null) : null,
    warnings: hidden.size > 0 ? [sourceWarning('sheets_hidden', { count: hidden.size, total: book.SheetNames.length })] : [],
  }
}

function open(bytes: Uint8Array): WorkBook | null {
  try {
    return read(bytes, { type: 'array', dense: true, dateNF: 'yyyy-mm-dd', cellFormula: false, cellHTML: false })
  } catch (cause) {
    if (/password|encrypt/i.test(String(cause))) throw new SourceError('encrypted_file', 'The file is protected by a password.', { cause })
    return null
  }
}

function sheetParts(sheet: WorkSheet): Part[] {
  const cells = new Map<number, Map<number, string>>()
  const comments: Part[] = []
  const rows: (CellObject | undefined)[][] = sheet['!data'] ?? []
  rows.forEach((row, y) =>
    row.forEach((cell, x) => {
      const text = cell ? shownText(cell) : ''
      if (text) put(cells, y, x, text)
      for (const { a, t } of cell?.c ?? [])
        comments.push({
          kind: 'paragraph',
          text: commentText(threadText(t), { place: utils.encode_cell({ r: y, c: x }), author: authorOf(a) }),
        })
    }),
  )
  spreadMerged(sheet, cells)
  return [...regionsOf(cells).map(regionPart), ...comments]
}

/** A single cell or column is text rather than a table. */
function regionPart(rows: readonly (readonly string[])[]): Part {
  return (rows[0]?.length ?? 0) > 1
    ? { kind: 'table', text: markdownTable(rows) }
    : { kind: 'paragraph', text: rows.map(([cell]) => cell).join('\n') }
}

function shownText(cell: CellObject): string {
  if (cell.t === 'z') return ''
  const shown = (cell.w ?? (cell.v === undefined ? '' : String(cell.v))).trim()
  return typeof cell.v === 'number' ? withAllDigits(shown, cell.v) : shown
}

function put(cells: Map<number, Map<number, string>>, y: number, x: number, text: string): void {
  const row = cells.get(y) ?? new Map<number, string>()
  row.set(x, text)
  cells.set(y, row)
}

const maxMergedCells = 1_000

/** Repeats a merged cell in all columns that it covers, but only once if it is the whole row: a title. */
function spreadMerged(sheet: WorkSheet, cells: Map<number, Map<number, string>>): void {
  const columns = new Set([...cells.values()].flatMap((row) => [...row.keys()]))
  for (const { s, e } of sheet['!merges'] ?? []) {
    const text = cells.get(s.r)?.get(s.c)
    const alone = cells.get(s.r)?.size === 1
    if (text === undefined || (e.r - s.r + 1) * (e.c - s.c + 1) > maxMergedCells) continue
    for (let y = s.r; y <= e.r; y++) for (let x = s.c; x <= (alone ? s.c : e.c); x++) if (columns.has(x)) put(cells, y, x, text)
  }
}

/** Removes the explanation that Excel adds to threaded comments for older programs. */
function threadText(text: string): string {
  return text.replace(/^\[Threaded comment\][\s\S]*?\nComment:\s*/, '').replace(/\n\s*Reply:\s*/g, '\nReply: ')
}

function authorOf(name: string | undefined): string | undefined {
  return name === undefined || name.startsWith('tc={') ? undefined : name
}
