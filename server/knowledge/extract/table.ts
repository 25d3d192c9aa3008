import { cleanLine } from './clean.ts'
import { documentLimits, tooMuchText } from './limits.ts'

/**
 * Converts rows to a Markdown table with the first row as header. Cells become one line, short rows are filled, empty columns
 * and rows removed.
 * @param rows iterated twice; they may be made on the way
 * @throws SourceError too_large
 */
export function markdownTable(rows: Iterable<readonly string[]>): string {
  const used = usedColumns(rows)
  if (used.length === 0) return ''
  const blocks: string[] = []
  let lines: string[] = []
  let length = 0
  for (const row of rows) {
    const cells = used.map((column) => cell(row[column] ?? ''))
    if (!cells.some(Boolean)) continue
    if (length === 0) lines.push(line(cells), line(cells.map(() => '---')))
    else lines.push(line(cells))
    length += lines.at(-1)?.length ?? 0
    if (length > documentLimits.characters) throw tooMuchText()
    if (lines.length < linesPerBlock) continue
    blocks.push(lines.join('\n'))
    lines = []
  }
  if (lines.length > 0) blocks.push(lines.join('\n'))
  return blocks.join('\n')
}

/** Lines that are joined early: a million separate strings take several times their characters. */
const linesPerBlock = 10_000

/** Returns the columns in which a row has text, in order. */
function usedColumns(rows: Iterable<readonly string[]>): number[] {
  const used: boolean[] = []
  for (const row of rows)
    row.forEach((text, column) => {
      if (!used[column] && cell(text)) used[column] = true
    })
  return used.flatMap((isUsed, column) => (isUsed ? [column] : []))
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
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0)
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
