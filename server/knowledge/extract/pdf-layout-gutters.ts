import { centerOf, heightOf, overlap, widthOf, type Box } from './pdf-layout-boxes.ts'
import { columnLines } from './pdf-layout-column-text.ts'
import type { Piece } from './pdf-layout-pieces.ts'

/** Width of a gap between columns as a share of the font size. */
const gutterWidth = 0.8

/** A gap between two columns. */
interface Gutter extends Box {
  /** Lines of the shorter column. */
  readonly lines: number
}

/** Returns the gap between two columns with the most lines; one that boxes cross if it has many more, because columns go on below a box. */
export function columnGutter(pieces: readonly Piece[]): Box | undefined {
  const best = longestGutter(pieces)
  const text = pieces.filter(({ isBox }) => !isBox)
  if (text.length === pieces.length) return best
  const free = longestGutter(text)
  return free && free.lines > 1.3 * (best?.lines ?? 0) ? free : best
}

/** Returns whether the center of a piece is at the height of a gap. */
export function isBeside(piece: Box, gutter: Box): boolean {
  const { y } = centerOf(piece)
  return y >= gutter.top && y <= gutter.bottom
}

/** Returns the gap with the most lines on both sides, the widest of several. */
function longestGutter(pieces: readonly Piece[]): Gutter | undefined {
  const sorted = pieces.toSorted((a, b) => a.top - b.top)
  const seen = new Set<string>()
  let best: Gutter | undefined
  for (const gap of gapsInLines(sorted)) {
    const grown = withoutHeading(extended(gap, sorted), sorted)
    const key = [grown.left, grown.right, grown.top, grown.bottom].map(Math.round).join(' ')
    if (seen.has(key)) continue
    seen.add(key)
    const beside = sorted.filter((piece) => isBeside(piece, grown))
    const lines = columnLines(grown, beside)
    if (lines === 0 || lines < (best?.lines ?? 0)) continue
    if (!best || lines > best.lines || widthOf(grown) > widthOf(best)) best = { ...grown, lines }
  }
  return best
}

/** Returns the gaps between neighbours on a line. */
function gapsInLines(sorted: readonly Piece[]): Box[] {
  return sorted.flatMap((piece) => {
    let next: Piece | undefined
    for (const other of sorted) {
      // The pieces below this one follow.
      if (other.top > piece.bottom) break
      if (other.left > piece.right && isOnSameLine(piece, other) && (!next || other.left < next.left)) next = other
    }
    if (!next || next.left - piece.right < minWidth(piece, next)) return []
    return [{ left: piece.right, right: next.left, top: Math.min(piece.top, next.top), bottom: Math.max(piece.bottom, next.bottom) }]
  })
}

function isOnSameLine(piece: Box, other: Box): boolean {
  return overlap([piece.top, piece.bottom], [other.top, other.bottom]) >= 0.3 * Math.min(heightOf(piece), heightOf(other))
}

function minWidth(...beside: readonly Piece[]): number {
  return Math.max(1, gutterWidth * Math.min(...beside.map(({ fontSize }) => fontSize)))
}

/** Extends a gap up and down to the text that closes it. The gap becomes narrower at longer lines. */
function extended(gap: Box, sorted: readonly Piece[]): Box {
  let { left, right } = gap
  const closes = (piece: Piece): boolean => {
    if (overlap([piece.left, piece.right], [left, right]) <= 0) return false
    const [toLeft, toRight] = [piece.left - left, right - piece.right]
    if (Math.max(toLeft, toRight) < minWidth(piece)) return true
    if (toLeft > toRight) right = piece.left
    else left = piece.right
    return false
  }
  const middle = (gap.top + gap.bottom) / 2
  const below = sorted.filter((piece) => centerOf(piece).y >= middle).find(closes)
  const above = sorted.filter((piece) => centerOf(piece).y < middle).findLast(closes)
  return { left, right, top: above ? centerOf(above).y + 0.01 : -Infinity, bottom: below ? centerOf(below).y - 0.01 : Infinity }
}

/**
 * Shortens a gap that ends at text across both columns: lines on the left only, nearer to this text than to the column, belong
 * to it. They are its heading.
 */
function withoutHeading(gutter: Box, sorted: readonly Piece[]): Box {
  if (gutter.bottom === Infinity) return gutter
  const beside = sorted.filter((piece) => isBeside(piece, gutter))
  const left = beside.filter(({ right }) => right <= gutter.left + 1)
  const lastRight = Math.max(...beside.filter((piece) => piece.left >= gutter.right - 1).map(({ bottom }) => bottom))
  let bottom = Math.max(...left.filter(({ top }) => top <= lastRight).map((piece) => piece.bottom))
  let [end, widest] = [gutter.bottom, 0]
  for (const piece of left.filter(({ top }) => top > lastRight)) {
    const gap = piece.top - bottom
    if (gap >= widest) [end, widest] = [(piece.top + bottom) / 2, gap]
    bottom = Math.max(bottom, piece.bottom)
  }
  return widest > gutter.bottom - bottom ? { ...gutter, bottom: end } : gutter
}
