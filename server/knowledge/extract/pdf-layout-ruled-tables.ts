import { around, centerOf, clusters, contains, median, overlap, type Box } from './pdf-layout-boxes.ts'
import { cellText, type FoundTable } from './pdf-layout-table-text.ts'
import type { Ruling, Rulings } from './pdf-layout-rulings.ts'
import { wordsOf, type Run, type Word } from './pdf-layout-runs.ts'
import { gridTable, type GridCell } from './table.ts'
import { isCaption } from './title.ts'

const near = 3

/** Returns the tables whose rows and columns are separated by lines, at least two rows and two columns with text. */
export function ruledTables(runs: readonly Run[], all: readonly Network[], { horizontal }: Rulings): FoundTable[] {
  const tables: FoundTable[] = []
  let left = runs
  for (const network of all) {
    const grid = gridWithHeader(network, horizontal, left)
    const inside = left.filter((run) => contains(grid.box, run))
    if (inside.length < 4 || grid.xs.length < 3 || grid.ys.length < 2) continue
    const cells = rowsOfCells(inside, grid)
    if (!cells || !hasTableContent(cells)) continue
    tables.push({ ...around(inside), runs: inside, text: gridTable(cells) })
    left = left.filter((run) => !inside.includes(run))
  }
  return tables
}

/** Lines that touch or cross each other. */
export interface Network {
  readonly horizontal: readonly Ruling[]
  readonly vertical: readonly Ruling[]
}

/** Returns the groups of lines of a page that touch or cross each other. */
export function networks({ horizontal, vertical }: Rulings): Network[] {
  const group = horizontal.map((_, at) => at)
  const find = (at: number): number => (group[at] === at ? at : find(group[at] ?? at))
  const crossing = vertical.map((line) =>
    horizontal.flatMap((other, at) =>
      other.at > line.from - near && other.at < line.to + near && line.at > other.from - near && line.at < other.to + near ? [at] : [],
    ),
  )
  for (const [first = 0, ...others] of crossing) for (const other of others) group[find(other)] = find(first)
  const found = new Map<number, { horizontal: Ruling[]; vertical: Ruling[] }>()
  horizontal.forEach((line, at) => {
    const root = find(at)
    found.set(root, found.get(root) ?? { horizontal: [], vertical: [] })
    found.get(root)?.horizontal.push(line)
  })
  vertical.forEach((line, at) => {
    const [first] = crossing[at] ?? []
    if (first !== undefined) found.get(find(first))?.vertical.push(line)
  })
  return [...found.values()].filter((network) => network.vertical.length > 0 && network.horizontal.length > 1)
}

/** Returns the rectangles that are drawn as four lines. */
export function drawnFrames(all: readonly Network[]): Box[] {
  return all.map(gridOf).flatMap(({ xs, ys, box }) => (xs.length === 2 && ys.length === 2 ? [box] : []))
}

interface Grid extends Network {
  readonly box: Box
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

/** Returns the grid of a network with the header above it, unless that is the caption of the table. */
function gridWithHeader(network: Network, horizontal: readonly Ruling[], runs: readonly Run[]): Grid {
  const [own, open] = [gridOf(network), gridOf(withOpenRow(network, horizontal))]
  const header = runs.filter((run) => contains(open.box, run) && !contains(own.box, run))
  return isCaption(cellText(header.flatMap(wordsOf))) ? own : open
}

/** Adds the row between the top of a network and a line of the same length close above, which has no vertical lines: a header. */
function withOpenRow({ horizontal, vertical }: Network, all: readonly Ruling[]): Network {
  const first = horizontal.reduce((top, line) => (line.at < top.at ? line : top))
  const above = all.find(
    (line) =>
      line.at < first.at - near &&
      line.at > first.at - 40 &&
      Math.abs(line.from - first.from) < near &&
      Math.abs(line.to - first.to) < near,
  )
  if (!above || horizontal.includes(above)) return { horizontal, vertical }
  return {
    horizontal: [above, ...horizontal],
    vertical: [...vertical, ...vertical.map(({ at }) => ({ at, from: above.at, to: first.at }))],
  }
}

/** Outer lines may be absent: the ends of the others take their place. */
function gridOf({ horizontal, vertical }: Network): Grid {
  const ends = (lines: readonly Ruling[]): number[] => [Math.min(...lines.map(({ from }) => from)), Math.max(...lines.map(({ to }) => to))]
  const xs = clusters([...vertical.map(({ at }) => at), ...ends(horizontal)], near)
  const ys = clusters([...horizontal.map(({ at }) => at), ...ends(vertical)], near)
  const box = { left: (xs[0] ?? 0) - 1, right: (xs.at(-1) ?? 0) + 1, top: (ys[0] ?? 0) - 1, bottom: (ys.at(-1) ?? 0) + 1 }
  return { horizontal, vertical, xs, ys, box }
}

/** Returns the rows of cells; null for a drawing. Cells without a line between them are merged: the text is that of all, repeated in each. */
function rowsOfCells(runs: readonly Run[], grid: Grid): GridCell[][] | null {
  const columns = grid.xs.length - 1
  const bands = grid.ys.slice(0, -1).map((top, row) => [top, grid.ys[row + 1] ?? top] as const)
  const words = bands.map(() => Array.from({ length: columns }, (): Word[] => []))
  for (const word of runs.flatMap(wordsOf)) {
    const { x, y } = centerOf(word)
    const row = bands.findIndex(([top, bottom]) => y >= top && y < bottom)
    const column = grid.xs.findIndex((from, at) => x >= from && x < (grid.xs[at + 1] ?? Infinity))
    words[Math.max(0, row)]?.[Math.min(Math.max(0, column), columns - 1)]?.push(word)
  }
  const owner = mergedCells(grid, bands)
  // The lines of drawings do not separate many cells.
  const separate = new Set(bands.flatMap((_, row) => Array.from({ length: columns }, (__, column) => owner(row, column)))).size
  if (separate < 0.5 * columns * bands.length) return null
  const cells = new Map<number, Word[]>()
  words.forEach((row, at) =>
    row.forEach((found, column) => {
      const cell = owner(at, column)
      cells.set(cell, [...(cells.get(cell) ?? []), ...found])
    }),
  )
  return words.flatMap((inBand, row) => {
    const own = Array.from({ length: columns }, (_, column) => owner(row, column))
    const alone = own.every((cell) => own.filter((other) => other === cell).length === 1)
    const split = alone ? linesThatAreRows(inBand, bands.length) : null
    if (split) return split
    return [
      own.map((cell, column): GridCell => ({ text: cellText(cells.get(cell) ?? []), goesOn: column > 0 && own[column - 1] === cell })),
    ]
  })
}

/** Returns a function that returns the same number for cells that no line separates. */
function mergedCells(grid: Grid, bands: readonly (readonly [number, number])[]): (row: number, column: number) => number {
  const columns = grid.xs.length - 1
  const group = bands.flatMap((_, row) => Array.from({ length: columns }, (__, column) => row * columns + column))
  const find = (at: number): number => (group[at] === at ? at : find(group[at] ?? at))
  const covers = (lines: readonly Ruling[], at: number, from: number, to: number): boolean =>
    lines
      .filter((line) => Math.abs(line.at - at) <= near)
      .reduce((sum, line) => sum + Math.max(0, overlap([line.from, line.to], [from, to])), 0) >
    0.5 * (to - from)
  bands.forEach(([top, bottom], row) => {
    for (let column = 0; column < columns; column++) {
      const [left = 0, right = 0] = grid.xs.slice(column, column + 2)
      const cell = row * columns + column
      if (column + 1 < columns && !covers(grid.vertical, right, top, bottom)) group[find(cell + 1)] = find(cell)
      if (row + 1 < bands.length && !covers(grid.horizontal, bottom, left, right)) group[find(cell + columns)] = find(cell)
    }
  })
  return (row, column) => find(row * columns + column)
}

/**
 * Splits a band of a table whose rows are not separated by lines: at least three lines of text, most of them with text in most
 * columns. Bands of a table with lines between its rows hold cells with several lines.
 */
function linesThatAreRows(cells: readonly (readonly Word[])[], bands: number): GridCell[][] | null {
  if (bands > 3) return null
  const heights = clusters(
    cells.flat().map(({ bottom }) => bottom),
    2,
  )
  if (heights.length < 3) return null
  const rowOf = (word: Word): number =>
    heights.reduce((best, height, at) => (Math.abs(height - word.bottom) < Math.abs((heights[best] ?? 0) - word.bottom) ? at : best), 0)
  const rows = heights.map((_, at) => cells.map((words) => words.filter((word) => rowOf(word) === at)))
  const full = rows.filter((row) => row.filter((words) => words.length > 0).length > row.length / 2)
  const texts = rows.flatMap((row) => row.map((words) => cellText(words).length))
  if (full.length < 0.8 * rows.length || median(texts) > 25) return null
  return rows.map((row) => row.map((words) => ({ text: cellText(words), goesOn: false })))
}

/** Frames of figures, boxes with text, empty forms and columns of prose are no tables. */
function hasTableContent(cells: readonly (readonly GridCell[])[]): boolean {
  const filled = (row: readonly GridCell[]): number => row.filter((cell) => !cell.goesOn && cell.text !== '').length
  const rows = cells.filter((row) => filled(row) >= 2)
  if (cells.flat().filter((cell) => cell.text.length > 1200).length > 1) return false
  return rows.length >= 2 && rows.length >= 0.4 * cells.length
}
