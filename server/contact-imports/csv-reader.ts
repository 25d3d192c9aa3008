/** Characters of a cell that are more than any contact has: a missing quotation mark makes the rest of a file one cell. */
export const maxCellLength = 100_000
/** Characters of all cells of a row. */
export const maxRowLength = 1_000_000
export const maxColumns = 1000

/** The table has no form that can be read. */
export class TableError extends Error {}

/**
 * Splits CSV (RFC 4180) into rows as its text arrives. Cells in quotation marks can contain delimiters and line breaks. Lines end with
 * LF, CRLF or CR. Leaves out empty lines.
 * @throws TableError for a cell or a row that is too long
 */
export function createCsvReader(delimiter: string): { push(text: string): string[][]; end(): string[][] } {
  let row: string[] = []
  let cell = ''
  let rowLength = 0
  let quoted = false
  /** The last character was a quotation mark in a quoted cell: it ends the cell, or is the first of two. */
  let afterQuote = false
  let afterCr = false
  let isStart = true

  const endCell = (): void => {
    row.push(cell)
    rowLength += cell.length
    if (row.length > maxColumns) throw new TableError(`A row has more than ${maxColumns} columns.`)
    if (rowLength > maxRowLength) throw new TableError(`A row has more than ${maxRowLength} characters.`)
    cell = ''
    isStart = true
  }
  const endRow = (rows: string[][]): void => {
    endCell()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    rowLength = 0
  }
  return {
    push(text) {
      const rows: string[][] = []
      let from = 0
      for (let at = 0; at < text.length; at += 1) {
        const char = text[at]
        if (quoted) {
          if (char !== '"') continue
          cell += text.slice(from, at)
          from = at + 1
          quoted = false
          afterQuote = true
          continue
        }
        if (afterQuote) {
          afterQuote = false
          if (char === '"') {
            from = at
            quoted = true
            continue
          }
          from = at
        }
        if (afterCr) {
          afterCr = false
          if (char === '\n') {
            from = at + 1
            continue
          }
        }
        if (char === '"' && isStart) {
          quoted = true
          isStart = false
          from = at + 1
        } else if (char === delimiter || char === '\n' || char === '\r') {
          cell += text.slice(from, at)
          from = at + 1
          if (char === delimiter) endCell()
          else endRow(rows)
          afterCr = char === '\r'
        } else isStart = false
      }
      cell += text.slice(from)
      if (cell.length > maxCellLength)
        throw new TableError(`A cell has more than ${maxCellLength} characters. Is a quotation mark missing?`)
      return rows
    },
    end() {
      const rows: string[][] = []
      if (quoted) throw new TableError('The last cell has an opening quotation mark and no closing one.')
      if (cell !== '' || row.length > 0) endRow(rows)
      return rows
    },
  }
}
