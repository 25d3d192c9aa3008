import { around, median, overlap, union, widthOf, type Interval } from './pdf-layout-boxes.ts'
import { wordsOf } from './pdf-layout-runs.ts'
import type { Line } from './pdf-layout-lines.ts'
import { piecesOfLine, type Piece } from './pdf-layout-order.ts'
import type { Ruling, Rulings } from './pdf-layout-rulings.ts'
import { cellText, type FoundTable } from './pdf-layout-table-text.ts'
import { gridTable, type GridCell } from './table.ts'

/** A line of a page, in pieces that may be cells. */
interface Row {
  readonly line: Line
  readonly pieces: readonly Piece[]
}

/** The pieces of each column; a piece that spans columns is in the first one. */
type Cells = readonly (readonly Piece[])[]

/**
 * Returns the tables without vertical lines: rows between horizontal lines of the same length, then rows whose pieces stand in
 * at least two columns, if nothing suggests prose, a list, a table of contents or code.
 */
export function alignedTables(lines: readonly Line[], { horizontal }: Rulings): FoundTable[] {
  const tables: FoundTable[] = []
  let rows = lines.map((line): Row => ({ line, pieces: piecesOfLine(line) }))
  const take = (found: readonly Row[], table: FoundTable | null): boolean => {
    if (!table) return false
    tables.push(table)
    rows = rows.filter((row) => !found.includes(row))
    return true
  }
  for (const group of sameEnds(horizontal).flatMap((rulings) => withoutProse(rulings, rows))) {
    for (let first = 0; first < group.length - 1; first++)
      for (let last = group.length - 1; last > first; last--) {
        const inside = between(rows, group[first], group[last])
        const separators = group.slice(first + 1, last).map(({ at }) => at)
        if (take(inside, tableOf(inside, separators, true))) first = last
      }
  }
  for (let first = 0; first < rows.length; first++) {
    const sequence = alignedFrom(rows, first)
    if (sequence.length < 3) continue
    if (take(sequence, tableOf(sequence, [], false))) first--
    // Columns of prose contain no tables.
    else if (sequence.length > 8) first += sequence.length - 2
  }
  return tables
}

/** Returns lines with the same ends in groups of at least two, from top to bottom. */
function sameEnds(horizontal: readonly Ruling[]): Ruling[][] {
  const groups: Ruling[][] = []
  for (const line of horizontal.filter(({ from, to }) => to - from > 80)) {
    const group = groups.find(([first]) => first && Math.abs(first.from - line.from) < 6 && Math.abs(first.to - line.to) < 6)
    if (group) group.push(line)
    else groups.push([line])
  }
  return groups.filter(({ length }) => length > 1 && length < 60).map((group) => group.toSorted((a, b) => a.at - b.at))
}

/** Divides lines where text between two of them has no columns. */
function withoutProse(rulings: readonly Ruling[], rows: readonly Row[]): Ruling[][] {
  const groups: Ruling[][] = [[]]
  rulings.forEach((ruling, at) => {
    const inside = between(rows, rulings[at - 1], ruling)
    if (inside.length > 1 && inside.every(({ pieces }) => pieces.length < 2)) groups.push([])
    groups.at(-1)?.push(ruling)
  })
  return groups.filter(({ length }) => length > 1)
}

function between(rows: readonly Row[], first?: Ruling, last?: Ruling): Row[] {
  if (!first || !last) return []
  return rows.filter(({ line }) => {
    const middle = (line.top + line.bottom) / 2
    return middle > first.at && middle < last.at && line.left > first.from - 6 && line.right < first.to + 6
  })
}

/** Returns the longest sequence of rows from `first` that follow closely and leave the same columns free. */
function alignedFrom(rows: readonly Row[], first: number): Row[] {
  const start = rows[first]
  if (!start || start.pieces.length < 2 || start.line.isMostlyMonospace) return []
  const sequence = [start]
  let ink = inkOf(start.pieces)
  for (const row of rows.slice(first + 1)) {
    const before = sequence.at(-1) ?? start
    const apart = row.line.top - before.line.bottom > 1.6 * start.line.fontSize
    const more = union([...ink, ...inkOf(row.pieces)])
    if (apart || row.line.isMostlyMonospace || more.length < (sequence.length < 2 ? 2 : ink.length)) break
    sequence.push(row)
    ink = more
  }
  while ((sequence.at(-1)?.pieces.length ?? 2) < 2 && isFarBelow(sequence)) sequence.pop()
  return sequence
}

/** Returns the intervals with text, extended so that narrow gaps close. */
function inkOf(pieces: readonly Piece[]): Interval[] {
  return union(pieces.map(({ left, right, fontSize }) => [left, right + Math.max(1, 0.8 * fontSize)]))
}

function isFarBelow(sequence: readonly Row[]): boolean {
  const [before, last] = sequence.slice(-2)
  return before !== undefined && last !== undefined && last.line.top - before.line.bottom > 0.5 * last.line.fontSize
}

/** Returns the intervals between columns, in which at most `tolerated` rows have text. `width` is a share of the font size. */
function gutters(rows: readonly Row[], tolerated: number, width = 0.8): Interval[] {
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

function tableOf(rows: readonly Row[], separators: readonly number[], ruled: boolean): FoundTable | null {
  if (rows.length < 2 || rows.filter(({ line }) => line.isMostlyMonospace).length > 0.3 * rows.length) return null
  const gaps = ruled ? ruledGutters(rows) : gutters(rows, 0)
  if (gaps.length === 0) return null
  const lines = rows.map(({ pieces }) => columnsOf(pieces, gaps))
  if (!(ruled ? isRuledTable(lines, separators) : isTable(lines))) return null
  const merged = mergedRows(rows, lines, separators)
  const cells = merged.map((row) => row.map((pieces, column) => cellOf(row, pieces, column, gaps)))
  const runs = rows.flatMap(({ line }) => line.runs)
  return { ...around(runs), runs, text: gridTable(cells) }
}

/** Titles inside a table may cross its columns: at most one row in eight. Gaps in justified prose are narrower. */
function ruledGutters(rows: readonly Row[]): Interval[] {
  const [strict, tolerant] = [gutters(rows, 0, 1), gutters(rows, Math.max(1, Math.floor(rows.length / 8)), 1)]
  return rows.length > 3 && tolerant.length > strict.length ? tolerant : strict
}

function columnsOf(pieces: readonly Piece[], gaps: readonly Interval[]): Piece[][] {
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

function cellOf(row: Cells, pieces: readonly Piece[], column: number, gaps: readonly Interval[]): GridCell {
  const text = cellText(pieces.flatMap(({ runs }) => runs.flatMap(wordsOf)))
  const spanning = row.slice(0, column).findLast((cell) => cell.length > 0) ?? []
  const start = gaps[column - 1]?.[1] ?? 0
  const goesOn = text === '' && spanning.some(({ right }) => right > start + 3)
  return goesOn ? { text: cellText(spanning.flatMap(({ runs }) => runs.flatMap(wordsOf))), goesOn } : { text, goesOn }
}

/** Joins the lines of a row: those between two separators, otherwise those that continue cells. */
function mergedRows(rows: readonly Row[], lines: readonly Cells[], separators: readonly number[]): Cells[] {
  const distances = rows.slice(1).map(({ line }, at) => line.bottom - (rows[at]?.line.bottom ?? 0))
  const smallest = Math.min(...distances)
  const separated = separators.length >= 2 && separators.length >= 0.4 * rows.length - 1
  const continues = (at: number): boolean => {
    const [before, row] = [rows[at - 1], rows[at]]
    if (!before || !row) return false
    if (separators.some((y) => y > (before.line.top + before.line.bottom) / 2 && y < (row.line.top + row.line.bottom) / 2)) return false
    if (separated) return true
    return lines[at]?.[0]?.length === 0 && (distances[at - 1] ?? 0) < 1.25 * smallest
  }
  const merged: Piece[][][] = []
  lines.forEach((cells, at) => {
    const last = merged.at(-1)
    if (last && continues(at)) cells.forEach((pieces, column) => last[column]?.push(...pieces))
    else merged.push(cells.map((pieces) => [...pieces]))
  })
  return merged
}

const textOfCell = (pieces: readonly Piece[]): string => pieces.flatMap(({ runs }) => runs.map(({ text }) => text)).join(' ')

/** Lines above, below and inside are strong evidence. Prose in columns between two lines remains prose. */
function isRuledTable(lines: readonly Cells[], separators: readonly number[]): boolean {
  const filled = (cells: Cells): number => cells.filter(({ length }) => length > 0).length
  const full = lines.filter((cells) => filled(cells) > 1)
  const sentences = lines.filter((cells) => filled(cells) === 1 && cells.map(textOfCell).join('').length > 60)
  if (full.length < 2 || sentences.length > 1 || isContents(lines)) return false
  // Cells with several lines leave lines with a single cell, and need lines between their rows.
  const areRows = full.length >= 0.6 * lines.length ? full.length > 2 || separators.length > 0 : separators.length >= full.length - 1
  return areRows && (proseColumns(lines) < 2 || separators.length >= 0.3 * lines.length)
}

/** At least three rows of short cells that are mostly filled; with two columns, at least four, with numbers in the second one. */
function isTable(lines: readonly Cells[]): boolean {
  const columns = lines[0]?.length ?? 0
  const full = lines.filter((cells) => cells.filter(({ length }) => length > 0).length >= Math.max(2, columns - 1))
  if (full.length < 3 || full.length < 0.6 * lines.length) return false
  const share = (at: number, of: RegExp): number => {
    const texts = lines.map((cells) => textOfCell(cells[at] ?? [])).filter(Boolean)
    return texts.filter((text) => of.test(text)).length / texts.length
  }
  const markers = /^(?:[•◦▪·*–-]|\(?\w{1,3}[.)])(?:\s|$)/
  if (Array.from({ length: columns }, (_, at) => share(at, markers)).some((of, at) => of > 0.5 && (at > 0 || columns === 2))) return false
  const lengths = lines.flatMap((cells) => cells.map((cell) => textOfCell(cell).length).filter(Boolean))
  const isIndex = Array.from({ length: columns }, (_, at) => share(at, /\p{L}.*,\s\d+$/u)).filter((of) => of > 0.5).length > 1
  if (isIndex || median(lengths) > 40 || proseColumns(lines) > 1 || isContents(lines)) return false
  if (columns > 2) return true
  const short = median(lines.map((cells) => textOfCell(cells[0] ?? []).length)) < 30
  return full.length >= 4 && short && share(1, /\d/) >= 0.6 && share(0, /^\d+$/) < 0.5
}

/** Returns the number of columns in which most lines fill the width. */
function proseColumns(lines: readonly Cells[]): number {
  const columns = lines[0]?.map((_, at) => lines.flatMap((cells) => cells[at] ?? [])) ?? []
  return columns.filter((pieces) => {
    if (pieces.length < 3) return false
    const width = widthOf(around(pieces))
    const full = pieces.filter((piece) => widthOf(piece) > 0.7 * width && textOfCell([piece]).length > 20)
    return full.length > 0.5 * pieces.length
  }).length
}

/** Returns whether the last column has page numbers in ascending order, or dots lead to it. */
function isContents(lines: readonly Cells[]): boolean {
  const dotted = lines.filter((cells) => /\.{4}|(?:\. ){4}|…{2}/.test(cells.map(textOfCell).join(' ')))
  if (dotted.length > 0.3 * lines.length) return true
  const numbers = lines
    .map((cells) => textOfCell(cells.at(-1) ?? []))
    .filter((text) => /^(?:\d{1,4}|[ivxlc]+)$/.test(text))
    .map(Number)
    .filter((number) => !Number.isNaN(number))
  const ascending = numbers.filter((number, at) => at === 0 || number >= (numbers[at - 1] ?? 0))
  return (
    numbers.length >= 3 &&
    numbers.length > 0.6 * lines.length &&
    ascending.length === numbers.length &&
    (lines[0]?.length ?? 0) <= 3 &&
    isWide(lines)
  )
}

/** In a table of contents, page numbers stand far from most titles. */
function isWide(lines: readonly Cells[]): boolean {
  const gaps = lines.flatMap((cells) => {
    const [last] = cells.at(-1) ?? []
    const before = cells.slice(0, -1).flat().at(-1)
    return last && before ? [last.left - before.right] : []
  })
  return median(gaps) > 60
}
