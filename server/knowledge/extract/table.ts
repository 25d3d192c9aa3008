import { cleanLine } from './clean.ts'

/** Rows as a Markdown table: the first is the header. Cells become one line, short rows are filled, empty columns and rows left out. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(cell)).filter((row) => row.some(Boolean))
  const width = Math.max(0, ...cells.map((row) => row.length))
  const used = Array.from({ length: width }, (_, column) => column).filter((column) => cells.some((row) => row[column]))
  const [header = [], ...body] = cells.map((row) => used.map((column) => row[column] ?? ''))
  if (header.length === 0) return ''
  return [line(header), line(header.map(() => '---')), ...body.map(line)].join('\n')
}

/** A cell of a grid in which cells may span columns and rows: what it says, and whether it goes on from the one on its left. */
export interface GridCell {
  readonly text: string
  readonly goesOn: boolean
}

/**
 * A grid as a Markdown table. What a merged cell says holds for every column and row that it spans, but stands once where it begins the
 * row and the row says nothing else: a title. Columns in which no cell begins are left out.
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
