import { around, widthOf, type Interval } from './pdf-layout-boxes.ts'
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
  const cells = mergedRows(rows, { lines, gaps, separators }).map((row) => row.map((_, column) => cellOf(row, column, gaps)))
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

interface Columns {
  readonly lines: readonly Cells[]
  /** The intervals between the columns. */
  readonly gaps: readonly Interval[]
}

/** Joins the lines of a row: those between two separators, otherwise those that continue cells. */
function mergedRows(rows: readonly Row[], { lines, gaps, separators }: Columns & Pick<Borders, 'separators'>): Cells[] {
  const distances = rows.slice(1).map(({ line }, at) => line.bottom - (rows[at]?.line.bottom ?? 0))
  const smallest = Math.min(...distances)
  const separated = separators.length >= 2 && separators.length >= 0.4 * rows.length - 1
  const bands = rows.map((row) => separators.filter((y) => y < middleOf(row)).length)
  const wrapped = wrappedShares({ lines, gaps })
  const isNew = (at: number): boolean => (wrapped[at] ?? 1) < 0.5
  const hasRows = (band: number): boolean => {
    const others = lines.flatMap((_, at) => (bands[at] === band && bands[at - 1] === band ? [at] : []))
    return others.length > 1 && others.filter(isNew).length >= 0.7 * others.length
  }
  const continues = (at: number): boolean => {
    const band = bands[at] ?? 0
    if (bands[at - 1] !== band) return false
    if (separated) return !(isNew(at) && hasRows(band))
    return lines[at]?.[0]?.length === 0 && (distances[at - 1] ?? 0) < 1.25 * smallest && wrapped[at] !== 0
  }
  const merged: Piece[][][] = []
  lines.forEach((cells, at) => {
    const last = merged.at(-1)
    if (last && continues(at)) cells.forEach((pieces, column) => last[column]?.push(...pieces))
    else merged.push(cells.map((pieces) => [...pieces]))
  })
  return merged
}

/**
 * Returns, for each line, the share of its cells that continue the cell above, where their first word does not fit. A line with
 * a single cell has no evidence and is taken for a continuation.
 */
function wrappedShares({ lines, gaps }: Columns): number[] {
  const all = lines.flat(2)
  const edges = { left: Math.min(...all.map(({ left }) => left)), right: Math.max(...all.map(({ right }) => right)) }
  // A column extends to the next one.
  const widths = Array.from({ length: gaps.length + 1 }, (_, at) => (gaps[at]?.[1] ?? edges.right) - (gaps[at - 1]?.[1] ?? edges.left))
  return lines.map((cells, at) => {
    const filled = widths.flatMap((width, column) => {
      const [cell, above] = [cells[column] ?? [], lines[at - 1]?.[column] ?? []]
      const needed = widthOfCell(above) + spaceAndFirstWord(cell) + (gaps[column] ? gapOf(cell) : 0)
      return cell.length > 0 ? [above.length > 0 && needed > width] : []
    })
    return filled.length < 2 ? 1 : filled.filter(Boolean).length / filled.length
  })
}

/** Returns the smallest distance of a cell and the next one. */
function gapOf([piece]: readonly Piece[]): number {
  return piece?.fontSize ?? 0
}

function widthOfCell(pieces: readonly Piece[]): number {
  return pieces.length === 0 ? 0 : widthOf(around(pieces))
}

function spaceAndFirstWord([piece]: readonly Piece[]): number {
  const [run] = piece?.runs ?? []
  const [word] = run ? wordsOf(run) : []
  return word && run ? 0.25 * run.fontSize + widthOf(word) : 0
}

function middleOf({ line }: Row): number {
  return (line.top + line.bottom) / 2
}
