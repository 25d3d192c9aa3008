import { cleanLine } from './clean.ts'

/**
 * Converts rows to a Markdown table with the first row as header. Cells become one line, short rows are filled, empty columns
 * and rows removed.
 */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(cell)).filter((row) => row.some(Boolean))
  const width = Math.max(0, ...cells.map((row) => row.length))
  const used = Array.from({ length: width }, (_, column) => column).filter((column) => cells.some((row) => row[column]))
  const [header = [], ...body] = cells.map((row) => used.map((column) => row[column] ?? ''))
  if (header.length === 0) return ''
  return [line(header), line(header.map(() => '---')), ...body.map(line)].join('\n')
}

/** A cell of a grid with spans: its text, and whether it continues the cell to its left. */
export interface GridCell {
  readonly text: string
  readonly goesOn: boolean
}

/**
 * Converts a grid to a Markdown table. A merged cell is repeated in every column and row that it spans, but occurs once if it
 * begins a row without other cells: a title. Columns in which no cell begins are removed.
 */
export function gridTable(grid: readonly (readonly (GridCell | undefined)[])[]): string {
  const width = Math.max(0, ...grid.map((row) => row.length))
  const begun = Array.from({ length: width }, (_, column) => column).filter((column) => grid.some((row) => row[column]?.goesOn === false))
  return markdownTable(
    grid.map((row) => {
      const title = row.every((one, at) => at === 0 || !one || one.goesOn || one.text.trim() === '') && (row[1]?.goesOn ?? false)
      return begun.map((column) => (title && column > 0 ? '' : (row[column]?.text ?? '')))
    }),
  )
}

function line(row: readonly string[]): string {
  return `| ${row.join(' | ')} |`
}

function cell(text: string): string {
  return cleanLine(text).replaceAll('|', '\\|')
}
