import { centreOf, heightOf, overlap, widthOf, type Box } from './pdf-layout-boxes.ts'
import { columnLines } from './pdf-layout-column-text.ts'
import type { Piece } from './pdf-layout-pieces.ts'

/** Width of a gap between columns as a share of the font size. */
const gutterWidth = 0.8

/**
 * Returns the pieces in groups in reading order: each group is one column, or text across the page. Finds the gap between two
 * columns with the most lines on both sides, reads the text above it, the left side, the right side and the text below it, and
 * does the same in each of these parts. Boxes across the gap are read after both columns.
 */
export function inReadingOrder<P extends Piece>(pieces: readonly P[]): P[][] {
  if (pieces.length === 0) return []
  const gutter = columnGutter(pieces)
  if (!gutter) return [pieces.toSorted((a, b) => a.top - b.top || a.left - b.left)]
  const x = (gutter.left + gutter.right) / 2
  const part = (of: (piece: P) => boolean): P[][] => inReadingOrder(pieces.filter(of))
  const y = (piece: P): number => centreOf(piece).y
  const isAcross = (piece: P): boolean => piece.isBox === true && piece.left < gutter.left && piece.right > gutter.right
  return [
    ...part((piece) => y(piece) < gutter.top),
    ...part((piece) => isBeside(piece, gutter) && piece.left < x && !isAcross(piece)),
    ...part((piece) => isBeside(piece, gutter) && piece.left >= x),
    ...pieces.filter((piece) => isBeside(piece, gutter) && isAcross(piece)).map((piece) => [piece]),
    ...part((piece) => y(piece) > gutter.bottom),
  ]
}

/** Returns the best gap; one that boxes cross if it has many more lines, because columns go on below a box between them. */
function columnGutter(pieces: readonly Piece[]): Box | undefined {
  const best = widestUse(pieces)
  const text = pieces.filter(({ isBox }) => !isBox)
  if (text.length === pieces.length) return best?.gutter
  const free = widestUse(text)
  return free && free.lines > 1.3 * (best?.lines ?? 0) ? free.gutter : best?.gutter
}

function isBeside(piece: Box, gutter: Box): boolean {
  const { y } = centreOf(piece)
  return y >= gutter.top && y <= gutter.bottom
}

/** Returns the gap between columns with the most lines on both sides, and their number. */
function widestUse(pieces: readonly Piece[]): { gutter: Box; lines: number } | undefined {
  const sorted = pieces.toSorted((a, b) => a.top - b.top)
  const seen = new Set<string>()
  let best: { gutter: Box; lines: number } | undefined
  for (const gutter of seeds(sorted)) {
    const grown = trimmed(grow(gutter, sorted), sorted)
    const key = [grown.left, grown.right, grown.top, grown.bottom].map(Math.round).join(' ')
    if (seen.has(key)) continue
    seen.add(key)
    const lines = columnLines(
      grown,
      sorted.filter((piece) => isBeside(piece, grown)),
    )
    if (lines > 0 && (!best || lines > best.lines || (lines === best.lines && widthOf(grown) > widthOf(best.gutter))))
      best = { gutter: grown, lines }
  }
  return best
}

/** Returns the gaps between neighbours on a line. */
function seeds(sorted: readonly Piece[]): Box[] {
  return sorted.flatMap((piece) => {
    let next: Piece | undefined
    for (const other of sorted) {
      if (
        other.left <= piece.right ||
        overlap([piece.top, piece.bottom], [other.top, other.bottom]) < 0.3 * Math.min(heightOf(piece), heightOf(other))
      )
        continue
      if (!next || other.left < next.left) next = other
    }
    if (!next || next.left - piece.right < minGutter(piece, next)) return []
    return [{ left: piece.right, right: next.left, top: Math.min(piece.top, next.top), bottom: Math.max(piece.bottom, next.bottom) }]
  })
}

function minGutter(...beside: readonly Piece[]): number {
  return Math.max(1, gutterWidth * Math.min(...beside.map(({ fontSize }) => fontSize)))
}

/** Extends a gap up and down to the text that closes it. The gap becomes narrower at longer lines. */
function grow(seed: Box, sorted: readonly Piece[]): Box {
  let { left, right } = seed
  const closes = (piece: Piece): boolean => {
    if (overlap([piece.left, piece.right], [left, right]) <= 0) return false
    const [toLeft, toRight] = [piece.left - left, right - piece.right]
    if (Math.max(toLeft, toRight) < minGutter(piece)) return true
    if (toLeft > toRight) right = piece.left
    else left = piece.right
    return false
  }
  const middle = (seed.top + seed.bottom) / 2
  const below = sorted.filter((piece) => centreOf(piece).y >= middle).find(closes)
  const above = sorted.filter((piece) => centreOf(piece).y < middle).findLast(closes)
  return { left, right, top: above ? centreOf(above).y + 0.01 : -Infinity, bottom: below ? centreOf(below).y - 0.01 : Infinity }
}

/**
 * Shortens a gap that ends at text across both columns: lines on the left only, nearer to this text than to the column, belong
 * to it. They are its heading.
 */
function trimmed(gutter: Box, sorted: readonly Piece[]): Box {
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
