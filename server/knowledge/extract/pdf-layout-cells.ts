import { median, overlap, widthOf, type Interval } from './pdf-layout-boxes.ts'
import type { Line } from './pdf-layout-lines.ts'
import type { Piece } from './pdf-layout-pieces.ts'

/** A line of a page, in pieces that may be cells. */
export interface Row {
  readonly line: Line
  readonly pieces: readonly Piece[]
}

/** The pieces of each column; a piece that spans columns is in the first one. */
export type Cells = readonly (readonly Piece[])[]

/** Returns the intervals between columns, in which at most `tolerated` rows have text. `width` is a share of the font size. */
export function gutters(rows: readonly Row[], tolerated: number, width = 0.8): Interval[] {
  const edges = rows.flatMap(({ pieces }) => pieces.flatMap(({ left, right }) => [[left, 1] as const, [right, -1] as const]))
  const narrowest = Math.max(1, width * median(rows.map(({ line }) => line.fontSize)))
  const found: Interval[] = []
  let [depth, from] = [0, Infinity]
  for (const [x, step] of edges.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const wasFree = depth <= tolerated
    depth += step
    if (!wasFree && depth <= tolerated) from = x
    if (wasFree && depth > tolerated && x - from >= narrowest) found.push([from, x])
  }
  return found
}

/** Titles inside a table may cross its columns: at most one row in eight. Gaps in justified prose are narrower. */
export function ruledGutters(rows: readonly Row[]): Interval[] {
  const [strict, tolerant] = [gutters(rows, 0, 1), gutters(rows, Math.max(1, Math.floor(rows.length / 8)), 1)]
  return rows.length > 3 && tolerant.length > strict.length ? tolerant : strict
}

export function columnsOf(pieces: readonly Piece[], gaps: readonly Interval[]): Piece[][] {
  const columns: Piece[][] = Array.from({ length: gaps.length + 1 }, () => [])
  for (const piece of pieces) columns[columnOf(piece, gaps)]?.push(piece)
  return columns
}

/** Returns the first column with a considerable part of a piece. */
function columnOf(piece: Piece, gaps: readonly Interval[]): number {
  const shares = Array.from({ length: gaps.length + 1 }, (_, column) =>
    overlap([piece.left, piece.right], [gaps[column - 1]?.[1] ?? -Infinity, gaps[column]?.[0] ?? Infinity]),
  )
  const found = shares.findIndex((share) => share > 0.2 * widthOf(piece))
  return found === -1 ? shares.indexOf(Math.max(...shares)) : found
}
