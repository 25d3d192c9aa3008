import { heightOf, overlap, union, type Box, type Interval } from './pdf-layout-boxes.ts'
import type { Row } from './pdf-layout-cells.ts'
import type { Piece } from './pdf-layout-pieces.ts'
import type { Ruling, Rulings } from './pdf-layout-rulings.ts'
import { tableOfRows } from './pdf-layout-table-rows.ts'
import type { FoundTable } from './pdf-layout-table-text.ts'
import { isCaption } from './title.ts'

/**
 * Returns the tables without vertical lines: rows between horizontal lines of the same length, then rows whose pieces stand in
 * at least two columns, if nothing suggests prose, a list, a table of contents or code.
 */
export function alignedTables(rows: readonly Row[], { horizontal, curves }: Rulings): FoundTable[] {
  const between: RowsOfTable[] = []
  const free = (): Row[] => rows.filter((row) => between.every((one) => !one.rows.includes(row)))
  for (const group of sameEnds(horizontal).flatMap((rulings) => dividedTables(rulings, rows)))
    for (let first = 0; first < group.length - 1; first++) {
      const found = largestTable(group.slice(first), free())
      if (!found) continue
      between.push(found)
      first += found.rulings - 1
    }
  return [
    ...between.map(({ table }) => table),
    ...tablesInSequences(free()).filter((table) => !curves.some((curve) => isDrawnIn(table, curve))),
  ]
}

interface RowsOfTable {
  readonly rows: readonly Row[]
  readonly table: FoundTable
  /** Number of the lines above, inside and below it. */
  readonly rulings: number
}

/** Returns whether a curve runs through a table of several lines: these are the labels of a figure. */
function isDrawnIn(table: FoundTable, curve: Box): boolean {
  const isAcross =
    overlap([table.left, table.right], [curve.left, curve.right]) > 0 && overlap([table.top, table.bottom], [curve.top, curve.bottom]) > 0
  const isAround = curve.left < table.left && curve.right > table.right && curve.top < table.top && curve.bottom > table.bottom
  return isAcross && !isAround && heightOf(curve) > 0.5 * heightOf(table)
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

/** Empty space in a table; two tables are further apart. */
const maxEmptyHeight = 30

/** Divides lines where text between two of them has no columns, or where they are far apart without text. */
function dividedTables(rulings: readonly Ruling[], rows: readonly Row[]): Ruling[][] {
  const groups: Ruling[][] = [[]]
  rulings.forEach((ruling, at) => {
    const before = rulings[at - 1]
    const inside = rowsBetween(rows, before, ruling)
    const isProse = inside.length > 1 && inside.every(({ pieces }) => pieces.length < 2)
    const isEmpty = before !== undefined && inside.length === 0 && ruling.at - before.at > maxEmptyHeight
    if (isProse || isEmpty) groups.push([])
    groups.at(-1)?.push(ruling)
  })
  return groups.filter(({ length }) => length > 1)
}

/** Returns the table below the first line that ends at the last possible one. */
function largestTable(rulings: readonly Ruling[], rows: readonly Row[]): RowsOfTable | null {
  for (let last = rulings.length - 1; last > 0; last--) {
    const inside = rowsBetween(rows, rulings[0], rulings[last])
    const separators = rulings.slice(1, last).map(({ at }) => at)
    const table = tableOfRows(inside, { isRuled: true, separators })
    if (table) return { rows: inside, table, rulings: last + 1 }
  }
  return null
}

function rowsBetween(rows: readonly Row[], first?: Ruling, last?: Ruling): Row[] {
  if (!first || !last) return []
  return rows.filter(({ line }) => {
    const middle = (line.top + line.bottom) / 2
    const isInside = middle > first.at && middle < last.at && line.left > first.from - 6 && line.right < first.to + 6
    return isInside && !isCaption(line.text)
  })
}

const minRows = 3
/** Longer sequences that are no tables are columns of prose, which contain none. */
const maxSearchedRows = 8

function tablesInSequences(rows: readonly Row[]): FoundTable[] {
  const tables: FoundTable[] = []
  for (let first = 0; first < rows.length;) {
    const sequence = alignedFrom(rows, first)
    const table = sequence.length < minRows ? null : tableOfRows(sequence, { isRuled: false, separators: [] })
    if (table) tables.push(table)
    first += table ? sequence.length : sequence.length > maxSearchedRows ? sequence.length - 1 : 1
  }
  return tables
}

/** Returns the longest sequence of rows from `first` that follow closely and leave the same columns free. */
function alignedFrom(rows: readonly Row[], first: number): Row[] {
  const start = rows[first]
  if (!start || start.pieces.length < 2 || start.line.isMostlyMonospace || isCaption(start.line.text)) return []
  const sequence = [start]
  let ink = inkOf(start.pieces)
  for (let at = first + 1; at < rows.length; at++) {
    const [before, row] = [rows[at - 1], rows[at]]
    if (!before || !row || row.line.isMostlyMonospace || row.line.top - before.line.bottom > 1.6 * start.line.fontSize) break
    const more = union([...ink, ...inkOf(row.pieces)])
    if (more.length < (sequence.length < 2 ? 2 : ink.length)) break
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
