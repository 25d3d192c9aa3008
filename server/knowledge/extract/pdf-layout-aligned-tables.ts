import { around, union, type Interval } from './pdf-layout-boxes.ts'
import { wordsOf } from './pdf-layout-runs.ts'
import { columnsOf, gutters, ruledGutters, type Cells, type Row } from './pdf-layout-cells.ts'
import type { Line } from './pdf-layout-lines.ts'
import { piecesOfLine, type Piece } from './pdf-layout-pieces.ts'
import type { Ruling, Rulings } from './pdf-layout-rulings.ts'
import { isRuledTable, isTable } from './pdf-layout-table-content.ts'
import { cellText, type FoundTable } from './pdf-layout-table-text.ts'
import { gridTable, type GridCell } from './table.ts'
import { isCaption } from './title.ts'

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
    const isInside = middle > first.at && middle < last.at && line.left > first.from - 6 && line.right < first.to + 6
    return isInside && !isCaption(line.text)
  })
}

/** Returns the longest sequence of rows from `first` that follow closely and leave the same columns free. */
function alignedFrom(rows: readonly Row[], first: number): Row[] {
  const start = rows[first]
  if (!start || start.pieces.length < 2 || start.line.isMostlyMonospace || isCaption(start.line.text)) return []
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
