import { median, type Box } from './pdf-layout-boxes.ts'
import { linesOf, textOf, type Line } from './pdf-layout-lines.ts'
import type { Run } from './pdf-layout-runs.ts'
import { hasPageNumber, pageNumbers, wordingsOf } from './pdf-layout-running-text.ts'

/** A page with its runs. */
export interface PageRuns {
  readonly page: number
  readonly width: number
  readonly height: number
  readonly runs: readonly Run[]
}

/** Parts of the page height: running lines of many pages, of a single page, and lines at the outermost edge. */
const edge = { many: 0.14, single: 0.08, outermost: 0.035 }
/** Points from the edge of a small page in which running lines of a single page are. */
const smallPageEdge = 36
/** Lines counted from the edge among which running lines are. */
const maxLines = 3

interface EdgeLine {
  readonly page: PageRuns
  readonly line: Line
  /** Height on the page, rounded to 4 points; odd and even pages may differ horizontally only. */
  readonly height: number
  readonly side: 'top' | 'bottom'
  /** Lines between it and the edge. */
  readonly depth: number
  readonly isAlone: boolean
}

/**
 * Returns the runs of running headers, footers and page numbers. Over all pages: lines at the edge at the same height whose
 * words, except digits, occur on at least three pages, lines whose number differs from the page by the same value on at least
 * three pages, and lines at the same height in the same font as these. On any page: a line at the outermost edge, and a page
 * number or a title with one.
 */
export function runningRuns(pages: readonly PageRuns[]): Set<Run> {
  const lines = pages.flatMap(edgeLines)
  const wordings = counted(lines.flatMap(({ line, height }) => wordingsOf(line.text).map((wording) => `${nearest(height)} ${wording}`)))
  const heights = counted(lines.map(({ height }) => nearest(height)))
  const offsets = counted(lines.flatMap((line) => offsetsOf(line)))
  const repeats = ({ line, height }: EdgeLine): boolean =>
    pages.length > 3 &&
    wordingsOf(line.text).some((wording) =>
      wording === ''
        ? (heights.get(nearest(height)) ?? 0) >= 0.4 * pages.length && !/\p{L}/u.test(line.text)
        : (wordings.get(`${nearest(height)} ${wording}`) ?? 0) >= 3,
    )
  const isNumbered = (line: EdgeLine): boolean => offsetsOf(line).some((offset) => (offsets.get(offset) ?? 0) >= 3)
  const isSingle = ({ line, page, isAlone }: EdgeLine): boolean =>
    !isAlone &&
    (isAtEdge(line, page, edge.outermost) || (isAtSingleEdge(line, page) && (hasPageNumber(line.text) || hasPartWithPageNumber(line))))
  /** In a short document, on odd or even pages: the same words twice. */
  const repeatsOnFewPages = ({ line, page, height }: EdgeLine): boolean =>
    pages.length > 2 &&
    pages.length < 6 &&
    isAtSingleEdge(line, page) &&
    wordingsOf(line.text)[0] !== '' &&
    (wordings.get(`${nearest(height)} ${wordingsOf(line.text)[0]}`) ?? 0) >= 2
  const running = new Set<EdgeLine>()
  const removed = new Map<string, number>()
  const sorted = lines.toSorted((a, b) => a.depth - b.depth)
  const remove = (edgeLine: EdgeLine, isRunning: boolean): void => {
    const key = `${edgeLine.page.page} ${edgeLine.side}`
    // Text between a line and the edge shows that the line belongs to the text.
    if ((removed.get(key) ?? 0) < edgeLine.depth || !isRunning || running.has(edgeLine)) return
    removed.set(key, edgeLine.depth + 1)
    running.add(edgeLine)
  }
  for (const edgeLine of sorted) {
    const { line, page } = edgeLine
    remove(
      edgeLine,
      repeats(edgeLine) ||
        repeatsOnFewPages(edgeLine) ||
        isNumbered(edgeLine) ||
        isSingle(edgeLine) ||
        (isNoise(line) && isAtSingleEdge(line, page)),
    )
  }
  const places = counted([...running].map(placeOf))
  const all = counted(lines.map(placeOf))
  // A header has other words in each chapter, some of which have few pages.
  for (const edgeLine of sorted) {
    const count = places.get(placeOf(edgeLine)) ?? 0
    remove(edgeLine, count >= 3 && count > 0.7 * (all.get(placeOf(edgeLine)) ?? 0))
  }
  return new Set([...running].flatMap(({ line }) => line.runs))
}

/** Returns the height and font of a line, which the running lines of a document share. */
function placeOf({ line: { fontName, fontSize }, height, side }: EdgeLine): string {
  return `${side} ${Math.round(height)} ${fontName} ${fontSize}`
}

/** Returns the short lines at the top and the bottom of a page, except those in a large font. */
function edgeLines(page: PageRuns): EdgeLine[] {
  const lines = linesOf(page.runs.filter((run) => isAtEdge(run, page, edge.many)))
  const size = median(page.runs.map(({ fontSize }) => fontSize))
  const take = (side: EdgeLine['side'], from: readonly Line[]): EdgeLine[] =>
    from
      .slice(0, maxLines)
      .flatMap((line, depth) =>
        line.text.length <= 160 && (line.fontSize <= 1.5 * size || isNoise(line))
          ? [{ page, line, side, depth, height: (line.top + line.bottom) / 2, isAlone: line.runs.length === page.runs.length }]
          : [],
      )
  const isTop = ({ top, bottom }: Line): boolean => top + bottom < page.height
  return [...take('top', lines.filter(isTop)), ...take('bottom', lines.filter((line) => !isTop(line)).toReversed())]
}

function isAtEdge({ top, bottom }: Box, { height }: PageRuns, part: number): boolean {
  return bottom < height * part || top > height * (1 - part)
}

function isAtSingleEdge(line: Line, page: PageRuns): boolean {
  return isAtEdge(line, page, Math.max(edge.single, Math.min(smallPageEdge / page.height, edge.many)))
}

/** Returns whether one of several parts of a line is a page number: `Chapter 3 | Derivatives      273`. */
function hasPartWithPageNumber(line: Line): boolean {
  const parts: Run[][] = []
  for (const run of line.runs) {
    const last = parts.at(-1)
    if (last && run.left - (last.at(-1)?.right ?? 0) < 1.5 * run.fontSize) last.push(run)
    else parts.push([run])
  }
  return parts.length > 1 && parts.some((part) => /^\W*(?:\d{1,4}|[ivxlc]{1,7})\W*$/.test(textOf(part)))
}

function isNoise({ text }: Line): boolean {
  return !/[\p{L}\p{N}]/u.test(text)
}

function nearest(height: number): number {
  return Math.round(height / 4)
}

function counted<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Returns the differences of the numbers at the ends of a line and the page, with the height. */
function offsetsOf({ line, page, height }: EdgeLine): string[] {
  const offsets = pageNumbers(line.text).map(({ number, isRoman }) => `${isRoman ? 'r' : ''}${number - page.page}`)
  return [...new Set(offsets)].map((offset) => `${offset} ${nearest(height)}`)
}
