import { centerOf } from './pdf-layout-boxes.ts'
import { columnGutter, isBeside } from './pdf-layout-gutters.ts'
import type { Piece } from './pdf-layout-pieces.ts'

/**
 * Returns the pieces in groups in reading order: each group is one column, or text across the page. Finds the gap between two
 * columns with the most lines on both sides, reads the text above it, the left column, the right column and the text below it,
 * and does the same in each of these parts. Boxes across the gap are read after both columns.
 */
export function inReadingOrder<P extends Piece>(pieces: readonly P[]): P[][] {
  if (pieces.length === 0) return []
  const gutter = columnGutter(pieces)
  if (!gutter) return [pieces.toSorted((a, b) => a.top - b.top || a.left - b.left)]
  const parts = { above: [] as P[], left: [] as P[], right: [] as P[], across: [] as P[], below: [] as P[] }
  for (const piece of pieces) {
    if (!isBeside(piece, gutter)) parts[centerOf(piece).y < gutter.top ? 'above' : 'below'].push(piece)
    else if (piece.isBox === true && piece.left < gutter.left && piece.right > gutter.right) parts.across.push(piece)
    else parts[piece.left < (gutter.left + gutter.right) / 2 ? 'left' : 'right'].push(piece)
  }
  return [
    ...inReadingOrder(parts.above),
    ...inReadingOrder(parts.left),
    ...inReadingOrder(parts.right),
    ...parts.across.map((box) => [box]),
    ...inReadingOrder(parts.below),
  ]
}
