import { around, centreOf, heightOf, median, overlap, widthOf, type Box } from './pdf-layout-boxes.ts'
import type { Line } from './pdf-layout-lines.ts'
import type { Run } from './pdf-layout-runs.ts'

/** A part of a page that no column separates: runs close to each other on a line, or a table or frame as a whole. */
export interface Piece extends Box {
  readonly runs: readonly Run[]
  readonly fontSize: number
  /** True for text in a frame. */
  readonly isBox?: boolean
}

/** Runs closer than this share of the font size belong together; gaps between columns are wider. */
const joinedGap = 0.6
/** Width of a gap between columns as a share of the font size. */
const gutterWidth = 0.8
const minColumnLines = 3

/** Joins runs on one line that are close to each other. */
export function piecesOfLine({ runs }: Line): Piece[] {
  const pieces: Run[][] = []
  for (const run of runs) {
    const last = pieces.at(-1)
    const before = last?.at(-1)
    if (last && before && run.left - before.right < joinedGap * Math.max(run.fontSize, before.fontSize)) last.push(run)
    else pieces.push([run])
  }
  return pieces.map(pieceOf)
}

export function pieceOf(runs: readonly Run[]): Piece {
  return { ...around(runs), runs, fontSize: median(runs.map(({ fontSize }) => fontSize)) }
}

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
    const lines = columnLines(grown, sorted)
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

/** Returns the number of lines of the shorter of the columns beside a gap; 0 if they are no columns but cells, or labels and values. */
function columnLines(gutter: Box, sorted: readonly Piece[]): number {
  const beside = sorted.filter((piece) => isBeside(piece, gutter))
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
