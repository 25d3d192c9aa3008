import { widthOf } from './pdf-layout-boxes.ts'
import type { Line } from './pdf-layout-lines.ts'
import { wordsOf } from './pdf-layout-runs.ts'

/** Lines of one paragraph, heading or list item. */
export interface Paragraph {
  readonly lines: readonly Line[]
  /** True if the line ends are part of the text, as in addresses and verses. */
  readonly keepsLines: boolean
}

/** Start of a list item, footnote or reference. */
export const marker = /^(?:[•◦▪▫▸►●○■□◆◇‣⁃∙·–*-]|o(?=\s[\p{Lu}\d])|\(?(?:\d{1,3}|[a-zA-Z]|[ivxl]{1,5})[.)]|\[\d{1,3}\])\s+(?=\S)/u

/** Lines after a line that ends early, although the next word would have fitted, may belong to a verse. */
type Break = 'none' | 'paragraph' | 'short line'

/**
 * Splits the lines of a column into paragraphs. A new one begins at another font size or weight, after a larger distance, at a
 * list marker, at an indented line, and after a line that ends early.
 */
export function paragraphsOf(lines: readonly Line[], sizesVary: boolean): Paragraph[] {
  const column: Column = { lines, sizesVary, pitches: new Map() }
  const paragraphs: { lines: Line[]; after: Break }[] = []
  lines.forEach((line, at) => {
    const last = paragraphs.at(-1)
    const kind = last ? breakBefore(last.lines, line, column, at) : 'paragraph'
    if (kind === 'none') last?.lines.push(line)
    else paragraphs.push({ lines: [line], after: kind })
  })
  return withVerses(paragraphs)
}

interface Column {
  readonly lines: readonly Line[]
  readonly sizesVary: boolean
  /** Distances of lines within paragraphs by font size. */
  readonly pitches: Map<number, number>
}

function isSameSize({ sizesVary }: Column, size: number, { fontSize }: Line): boolean {
  return Math.abs(fontSize - size) <= (sizesVary ? 0.3 * size : Math.max(0.6, 0.06 * size))
}

function breakBefore(paragraph: readonly Line[], line: Line, column: Column, at: number): Break {
  const before = paragraph.at(-1) ?? line
  const [first = before] = paragraph
  const size = before.fontSize
  if (!isSameSize(column, size, line)) return 'paragraph'
  const distance = baseline(line) - baseline(before)
  if (distance > (column.sizesVary ? 1.4 : 1.18) * pitchOf(column, size) + 0.05 * size || distance < 0.3 * size) return 'paragraph'
  if (/(?:\. ?){4}\s*\S{1,6}$/.test(before.text)) return 'paragraph'
  if (hasGap(before) || hasGap(line)) return 'short line'
  const right = Math.max(before.right, rightEdge(column, size, at))
  const isFull = right - before.right < firstWordWidth(line) + 0.6 * size
  if (marker.test(line.text) && (!isFull || startsItem(first, before, line))) return 'paragraph'
  if (marker.test(first.text) && line.left > first.left + 0.5 * size) return 'none'
  if (isCentered(before, line, paragraph)) return before.bold === line.bold ? 'none' : 'paragraph'
  // The font of a run is that of its first character: the end of a sentence may begin in bold, and a paragraph as well.
  if (before.bold !== line.bold && !(isFull && (before.bold || !/[.:!?]$/.test(before.text)))) return 'paragraph'
  if (!isFull) return 'short line'
  const step = line.left - before.left
  if (paragraph.length > 1 && Math.abs(step) > 0.8 * size) return 'paragraph'
  if (paragraph.length === 1 && step > 0.8 * size && !marker.test(first.text) && isFirstLineIndented(column.lines, at)) return 'paragraph'
  return 'none'
}

/** In a sentence, a line may begin with a dash, a number or an initial: `in section / 2. The keys`. */
function startsItem(first: Line, before: Line, line: Line): boolean {
  const isSibling = marker.test(first.text) && Math.abs(first.left - line.left) < 4
  return isSibling || /^[•◦▪▫▸►●○■□◆◇‣⁃∙[]/u.test(line.text) || /[.:;!?)]$/.test(before.text)
}

/** Returns whether parts of a line are far apart, as a title and its page number. */
function hasGap({ runs }: Line): boolean {
  return runs.some((run, at) => run.left - (runs[at - 1]?.right ?? run.left) > 3 * run.fontSize)
}

/** Returns the height of the main font's box; superscripts and other fonts do not move it. */
function baseline({ runs, bottom, fontSize }: Line): number {
  return runs.find((run) => run.fontSize === fontSize)?.bottom ?? bottom
}

/** Returns the right edge of lines around `at` that begin near it: boxes and quotations are narrower, also beside a figure. */
function rightEdge(column: Column, size: number, at: number): number {
  const left = column.lines[at]?.left ?? 0
  const near = column.lines
    .slice(Math.max(0, at - 4), at + 4)
    .filter((line) => isSameSize(column, size, line) && Math.abs(line.left - left) < 2 * size)
  return Math.max(...near.map((line) => line.right))
}

/** Returns the distance of lines within paragraphs of a font size: smaller distances than most. */
function pitchOf(column: Column, size: number): number {
  const known = column.pitches.get(size)
  if (known !== undefined) return known
  const same = column.lines.filter((line) => isSameSize(column, size, line))
  const distances = same
    .slice(1)
    .map((line, at) => baseline(line) - baseline(same[at] ?? line))
    .filter((distance) => distance > 0.8 * size && distance < 2.6 * size)
    .toSorted((a, b) => a - b)
  const found =
    distances.length > 1 ? (distances[Math.floor(distances.length * 0.3)] ?? 0) : Math.min(distances[0] ?? Infinity, 1.45 * size)
  column.pitches.set(size, found)
  return found
}

function firstWordWidth(line: Line): number {
  const [run] = line.runs
  const [first] = run ? wordsOf(run) : []
  // A word of a script without spaces can be broken anywhere.
  return first ? Math.min(widthOf(first), first.text.length > 25 ? 2 * line.fontSize : Infinity) : 0
}

/** Returns whether two lines of different length have the same center. */
function isCentered(before: Line, line: Line, paragraph: readonly Line[]): boolean {
  const centered = Math.abs(before.left + before.right - line.left - line.right) < 0.8 * line.fontSize
  return centered && Math.abs(before.left - line.left) > 1.2 * line.fontSize && paragraph.length < 4
}

/** Returns whether lines after `at` return to the left: the line is indented as the first of its paragraph. */
function isFirstLineIndented(column: readonly Line[], at: number): boolean {
  const [line, next] = column.slice(at, at + 2)
  return line !== undefined && next !== undefined && line.left - next.left > 0.8 * line.fontSize
}

/** Joins at least three single lines that only end early: addresses, verses, receipts. */
function withVerses(paragraphs: readonly { lines: readonly Line[]; after: Break }[]): Paragraph[] {
  const joined: Paragraph[] = []
  for (let at = 0; at < paragraphs.length; at++) {
    let end = at + 1
    while (isSingle(paragraphs[at]) && isSingle(paragraphs[end]) && paragraphs[end]?.after === 'short line') end++
    const keepsLines = end - at > 2
    if (!keepsLines) end = at + 1
    joined.push({ lines: paragraphs.slice(at, end).flatMap(({ lines }) => lines), keepsLines })
    at = end - 1
  }
  return joined
}

function isSingle(paragraph: { lines: readonly Line[] } | undefined): boolean {
  return paragraph?.lines.length === 1 && !marker.test(paragraph.lines[0]?.text ?? '')
}
