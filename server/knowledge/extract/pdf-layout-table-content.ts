import { around, median, widthOf } from './pdf-layout-boxes.ts'
import type { Cells } from './pdf-layout-cells.ts'
import type { Piece } from './pdf-layout-pieces.ts'

const textOfCell = (pieces: readonly Piece[]): string => pieces.flatMap(({ runs }) => runs.map(({ text }) => text)).join(' ')

/** Lines above, below and inside are strong evidence. Prose in columns between two lines remains prose. */
export function isRuledTable(lines: readonly Cells[], separators: readonly number[]): boolean {
  const filled = (cells: Cells): number => cells.filter(({ length }) => length > 0).length
  const full = lines.filter((cells) => filled(cells) > 1)
  const sentences = lines.filter((cells) => filled(cells) === 1 && cells.map(textOfCell).join('').length > 60)
  if (full.length < 2 || sentences.length > 1 || isContents(lines) || isIndex(lines) || isFormula(lines) || isCode(lines)) return false
  // Cells with several lines leave lines with a single cell, and need lines between their rows.
  const areRows = full.length >= 0.6 * lines.length ? full.length > 2 || separators.length > 0 : separators.length >= full.length - 1
  return areRows && (proseColumns(lines) < 2 || separators.length >= 0.3 * lines.length)
}

/** At least three rows of short cells that are mostly filled; with two columns, at least four, with numbers in the second one. */
export function isTable(lines: readonly Cells[]): boolean {
  const columns = lines[0]?.length ?? 0
  const full = lines.filter((cells) => cells.filter(({ length }) => length > 0).length >= Math.max(2, columns - 1))
  if (full.length < 3 || full.length < 0.6 * lines.length || isFormula(lines) || isCode(lines)) return false
  const share = (at: number, pattern: RegExp): number => shareOfCells(lines, at, pattern)
  const markers = /^(?:[•◦▪·*–-]|\(?\w{1,3}[.)])(?:\s|$)/
  if (Array.from({ length: columns }, (_, at) => share(at, markers)).some((of, at) => of > 0.5 && (at > 0 || columns === 2))) return false
  const lengths = lines.flatMap((cells) => cells.map((cell) => textOfCell(cell).length).filter(Boolean))
  if (isIndex(lines) || median(lengths) > 40 || proseColumns(lines) > 1 || isContents(lines)) return false
  if (columns > 2) return true
  const short = median(lines.map((cells) => textOfCell(cells[0] ?? []).length)) < 30
  return full.length >= 4 && short && share(1, /\d/) >= 0.6 && share(0, /^\d+$/) < 0.5
}

/** Returns the share of the cells of a column with text that match a pattern. */
function shareOfCells(lines: readonly Cells[], column: number, pattern: RegExp): number {
  const texts = lines.map((cells) => textOfCell(cells[column] ?? [])).filter(Boolean)
  return texts.filter((text) => pattern.test(text)).length / texts.length
}

/** Returns whether most entries of several columns end with page numbers: `deposit, 3, 14-16`. */
function isIndex(lines: readonly Cells[]): boolean {
  const entry = /\p{L}.*,\s\d+(?:\s?[–-]\s?\d+)?$/u
  return (lines[0] ?? []).filter((_, column) => shareOfCells(lines, column, entry) > 0.5).length > 1
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

/** Returns whether a column begins with equals signs, as the lines of a formula or of definitions do. */
function isFormula(lines: readonly Cells[]): boolean {
  const columns = lines[0]?.map((_, at) => lines.map((cells) => textOfCell(cells[at] ?? [])).filter(Boolean)) ?? []
  return columns.some((texts) => {
    const equations = texts.filter((text) => /^(?::?=|≡|≈)(?:\s|$)/.test(text))
    return equations.length > 1 && equations.length >= 0.5 * texts.length
  })
}

/** Returns whether at least half of the lines end like statements, or have comments, as in C. */
function isCode(lines: readonly Cells[]): boolean {
  const texts = lines.map((cells) => cells.map(textOfCell).join(' ').trim())
  return texts.filter((text) => /[;{}]$|\/\*|\*\/|(?:^|\s)\/\/(?:\s|$)/.test(text)).length >= 0.5 * texts.length
}
