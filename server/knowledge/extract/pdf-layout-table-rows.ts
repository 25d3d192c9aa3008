import { around, type Interval } from './pdf-layout-boxes.ts'
import { columnsOf, gutters, ruledGutters, type Cells, type Row } from './pdf-layout-cells.ts'
import type { Piece } from './pdf-layout-pieces.ts'
import { wordsOf } from './pdf-layout-runs.ts'
import { isRuledTable, isTable } from './pdf-layout-table-content.ts'
import { cellText, type FoundTable } from './pdf-layout-table-text.ts'
import { gridTable, type GridCell } from './table.ts'

/** The lines of a page around and between the rows of a table. */
interface Borders {
  /** True if there is a line above and below the rows. */
  readonly isRuled: boolean
  /** Heights of the lines between the rows. */
  readonly separators: readonly number[]
}

/** Returns the table that consists of rows; null if they have no columns, or their content suggests no table. */
export function tableOfRows(rows: readonly Row[], { isRuled, separators }: Borders): FoundTable | null {
  if (rows.length < 2 || rows.filter(({ line }) => line.isMostlyMonospace).length > 0.3 * rows.length) return null
  const gaps = isRuled ? ruledGutters(rows) : gutters(rows, 0)
  if (gaps.length === 0) return null
  const lines = rows.map(({ pieces }) => columnsOf(pieces, gaps))
  if (!(isRuled ? isRuledTable(lines, separators) : isTable(lines))) return null
  const cells = mergedRows(rows, lines, separators).map((row) => row.map((_, column) => cellOf(row, column, gaps)))
  const runs = rows.flatMap(({ line }) => line.runs)
  return { ...around(runs), runs, text: gridTable(cells) }
}

/** Returns the text of a cell. An empty cell into which another one extends has the text of that one. */
function cellOf(row: Cells, column: number, gaps: readonly Interval[]): GridCell {
  const pieces = row[column] ?? []
  if (pieces.length > 0) return { text: textOf(pieces), goesOn: false }
  const before = row.slice(0, column).findLast((cell) => cell.length > 0) ?? []
  const start = gaps[column - 1]?.[1] ?? 0
  const goesOn = before.some(({ right }) => right > start + 3)
  return { text: goesOn ? textOf(before) : '', goesOn }
}

function textOf(pieces: readonly Piece[]): string {
  return cellText(pieces.flatMap(({ runs }) => runs.flatMap(wordsOf)))
}

/** Joins the lines of a row: those between two separators, otherwise those that continue cells. */
function mergedRows(rows: readonly Row[], lines: readonly Cells[], separators: readonly number[]): Cells[] {
  const distances = rows.slice(1).map(({ line }, at) => line.bottom - (rows[at]?.line.bottom ?? 0))
  const smallest = Math.min(...distances)
  const separated = separators.length >= 2 && separators.length >= 0.4 * rows.length - 1
  const continues = (at: number): boolean => {
    const [before, row] = [rows[at - 1], rows[at]]
    if (!before || !row) return false
    if (separators.some((y) => y > middleOf(before) && y < middleOf(row))) return false
    return separated || (lines[at]?.[0]?.length === 0 && (distances[at - 1] ?? 0) < 1.25 * smallest)
  }
  const merged: Piece[][][] = []
  lines.forEach((cells, at) => {
    const last = merged.at(-1)
    if (last && continues(at)) cells.forEach((pieces, column) => last[column]?.push(...pieces))
    else merged.push(cells.map((pieces) => [...pieces]))
  })
  return merged
}

function middleOf({ line }: Row): number {
  return (line.top + line.bottom) / 2
}
