import { around, heightOf, median, overlap, widthOf, type Box } from './pdf-layout-boxes.ts'
import type { Piece } from './pdf-layout-pieces.ts'

const minColumnLines = 3

/**
 * Returns the number of lines of the shorter of the columns beside a gap; 0 if they are no columns but cells, or labels and values.
 * @param beside the pieces at the height of the gap, from top to bottom
 */
export function columnLines(gutter: Box, beside: readonly Piece[]): number {
  const x = (gutter.left + gutter.right) / 2
  const sides = [beside.filter(({ left }) => left < x), beside.filter(({ left }) => left >= x)] as const
  const [left, right] = [rowsOf(sides[0]), rowsOf(sides[1])]
  const shorter = Math.min(left.length, right.length)
  const size = median(beside.map(({ fontSize }) => fontSize))
  if (shorter < minColumnLines && !(shorter === 2 && widthOf(gutter) > 3 * size)) return 0
  return (isProse(left) && isProse(right)) || areIndependent(left, right) || areAlike(left, right) ? shorter : 0
}

/** Returns whether the lines of two sides stand at different heights. Cells stand beside each other. */
function areIndependent(left: readonly TextRow[], right: readonly TextRow[]): boolean {
  const beside = left.filter((row) => right.some((other) => Math.abs(row.bottom - other.bottom) < 1.5)).length
  return Math.min(left.length, right.length) >= 4 && beside < 0.5 * Math.min(left.length, right.length)
}

/** Returns whether both sides are lists with long entries, such as an index. Labels and numbers are shorter than their values. */
function areAlike(left: readonly TextRow[], right: readonly TextRow[]): boolean {
  const [one, other] = [widthOf(around(left)), widthOf(around(right))]
  const isLong = (rows: readonly TextRow[]): boolean =>
    rows.length >= 6 && median(rows.map(({ characters }) => characters).filter((count) => count > 2)) >= 12
  return isLong(left) && isLong(right) && Math.min(one, other) > 0.6 * Math.max(one, other)
}

interface TextRow extends Box {
  readonly characters: number
}

/** Returns the extent and number of characters of each line. */
function rowsOf(pieces: readonly Piece[]): TextRow[] {
  const rows: { left: number; right: number; top: number; bottom: number; characters: number }[] = []
  for (const piece of pieces) {
    const characters = piece.runs.reduce((sum, { text }) => sum + text.length, 0)
    const last = rows.at(-1)
    if (last && overlap([last.top, last.bottom], [piece.top, piece.bottom]) > 0.5 * heightOf(piece)) {
      last.left = Math.min(last.left, piece.left)
      last.right = Math.max(last.right, piece.right)
      last.characters += characters
    } else rows.push({ left: piece.left, right: piece.right, top: piece.top, bottom: piece.bottom, characters })
  }
  return rows
}

/** Returns whether most lines fill the width of their column. */
function isProse(rows: readonly TextRow[]): boolean {
  const left = Math.min(...rows.map((row) => row.left))
  const right = Math.max(...rows.map((row) => row.right))
  const full = rows.filter((row) => widthOf(row) > 0.75 * (right - left) && row.characters > 18)
  return full.length >= 0.5 * rows.length
}
