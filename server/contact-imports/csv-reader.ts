/** Maximum characters of a cell. No value of a contact is as long: a missing quotation mark makes the rest of a file one cell. */
export const maxCellLength = 100_000
/** Maximum characters of all cells of a row. */
export const maxRowLength = 1_000_000
export const maxColumns = 1000

/** A row with its number in the file as a spreadsheet shows it: empty rows count. */
export interface TableRow {
  readonly number: number
  readonly cells: readonly string[]
}

/** The file cannot be read as a table. */
export class TableError extends Error {}

/**
 * Splits CSV (RFC 4180) into rows as its text arrives. Cells in quotation marks can contain delimiters and line breaks. Lines end with
 * LF, CRLF or CR. Leaves out empty lines, and the line `sep=;` that tells a spreadsheet the delimiter.
 * @throws TableError for a cell or a row that is too long
 */
export function createCsvReader(delimiter: string): { push(text: string): TableRow[]; end(): TableRow[] } {
  let number = 0
  let row: string[] = []
  let cell = ''
  let rowLength = 0
  let isInQuotes = false
  /** The last character was a quotation mark within quotation marks: it ends the cell, or is the first of an escaped pair. */
  let afterQuote = false
  let afterCr = false
  let isCellStart = true

  const checkCell = (): void => {
    if (cell.length > maxCellLength) throw new TableError(`A cell has more than ${maxCellLength} characters. Is a quotation mark missing?`)
  }
  const endCell = (): void => {
    checkCell()
    row.push(cell)
    rowLength += cell.length
    if (row.length > maxColumns) throw new TableError(`A row has more than ${maxColumns} columns.`)
    if (rowLength > maxRowLength) throw new TableError(`A row has more than ${maxRowLength} characters.`)
    cell = ''
    isCellStart = true
  }
  const endRow = (rows: TableRow[]): void => {
    endCell()
    const cells = row
    row = []
    rowLength = 0
    // A spreadsheet does not show this line.
    if (number === 0 && /^sep=.?$/i.test(cells.join(delimiter))) return
    number += 1
    if (cells.length > 1 || cells[0] !== '') rows.push({ number, cells })
  }
  return {
    push(text) {
      const rows: TableRow[] = []
      let segmentStart = 0
      for (let at = 0; at < text.length; at += 1) {
        const char = text[at]
        if (isInQuotes) {
          if (char !== '"') continue
          cell += text.slice(segmentStart, at)
          segmentStart = at + 1
          isInQuotes = false
          afterQuote = true
          continue
        }
        if (afterQuote) {
          afterQuote = false
          if (char === '"') {
            segmentStart = at
            isInQuotes = true
            continue
          }
          segmentStart = at
        }
        if (afterCr) {
          afterCr = false
          if (char === '\n') {
            segmentStart = at + 1
            continue
          }
        }
        if (char === '"' && isCellStart) {
          isInQuotes = true
          isCellStart = false
          segmentStart = at + 1
        } else if (char === delimiter || char === '\n' || char === '\r') {
          cell += text.slice(segmentStart, at)
          segmentStart = at + 1
          if (char === delimiter) endCell()
          else endRow(rows)
          afterCr = char === '\r'
        } else isCellStart = false
      }
      cell += text.slice(segmentStart)
      checkCell()
      return rows
    },
    end() {
      const rows: TableRow[] = []
      if (isInQuotes) throw new TableError('The last cell has an opening quotation mark and no closing one.')
      if (cell !== '' || row.length > 0) endRow(rows)
      return rows
    },
  }
}
