import type { Block } from '../extract/document.ts'
import { type Span, trimmed } from './sentences.ts'
import type { Joint } from './units.ts'

/** A part of a block that is kept whole if possible, with its separation from the previous part. */
export interface Part extends Span {
  readonly joint: Joint
}

/** The parts of a table. */
export interface TableRows {
  /** The header row with its delimiter row; null without a delimiter row. */
  readonly header: Span | null
  /** The header row alone. */
  readonly headerRow: Span | null
  readonly rows: readonly Part[]
}

/** Returns the rows of a table. Without a delimiter row, the first row is a row like the others. */
export function tableRows(text: string, table: Span): TableRows {
  const all = lines(text, table)
  const [head, delimiter, ...others] = all
  if (!head || !delimiter || !isDelimiterRow(text, delimiter)) return { header: null, headerRow: null, rows: all.map(onOwnLine) }
  return { header: { start: head.start, end: delimiter.end }, headerRow: head, rows: others.map(onOwnLine) }
}

/** Returns whether a row separates the header of a Markdown table from its rows: `| --- | --- |`. */
export const isDelimiterRow = (text: string, { start, end }: Span): boolean => /^[\s|:-]*-[\s|:-]*$/.test(text.slice(start, end))

export function codeLines(text: string, code: Span): Part[] {
  return lines(text, code).map(onOwnLine)
}

/**
 * Returns the sentences of a paragraph or a list, by line if its line breaks are more than wrapping. The lines of logs, lists,
 * transcripts and poems are returned whole.
 */
export function proseSentences(
  text: string,
  prose: Span,
  kind: Block['kind'],
  split: (text: string, start: number, end: number) => Span[],
): Part[] {
  const all = lines(text, prose)
  if (kind === 'paragraph' && areRecords(text, all)) return all.map(onOwnLine)
  return runningLines(text, all, kind === 'list').flatMap(({ start, end }) =>
    split(text, start, end).map((sentence, order): Part => ({
      start: sentence.start,
      end: sentence.end,
      joint: order === 0 ? 'line' : 'sentence',
    })),
  )
}

function onOwnLine({ start, end }: Span): Part {
  return { start, end, joint: 'line' }
}

/** Returns the non-empty lines of a span, trimmed. */
function lines(text: string, span: Span): Span[] {
  const found: Span[] = []
  for (let start = span.start; start < span.end;) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 || feed > span.end ? span.end : feed
    const line = trimmed(text, start, end)
    if (line) found.push(line)
    start = end + 1
  }
  return found
}

/** Lines compared to decide whether they are records, and characters compared of each. */
const COMPARED_LINES = 200
const COMPARED_START = 6
/** Longer lines are paragraphs of their own, unless they begin alike. */
const LONG_LINE = 160
/** Shorter lines can be words of a list, which begin in lower case like the lines of wrapped prose. */
const SHORT_LINE = 30

/**
 * Returns whether lines are records rather than wrapped prose: most begin alike, as with a time or a bracket, or many end although
 * the first word of the next line would have fitted.
 */
function areRecords(text: string, all: readonly Span[]): boolean {
  if (all.length < 3) return false
  const compared = all.slice(0, COMPARED_LINES)
  const starts = new Map<string, number>()
  for (const { start } of compared) {
    const shape = shapeOf(text.slice(start, start + COMPARED_START))
    starts.set(shape, (starts.get(shape) ?? 0) + 1)
  }
  for (const [shape, count] of starts) if (/[^\p{L}\s]/u.test(shape) && count > 0.7 * compared.length) return true
  const lengths = compared.map(({ start, end }) => end - start).toSorted((a, b) => a - b)
  const longest = lengths.at(-1) ?? 0
  const median = lengths[lengths.length >> 1] ?? 0
  const continuing = compared.filter(({ start }, at) => at > 0 && /^\p{Ll}/u.test(text.slice(start, start + 2))).length
  const inLongLines = lengths.filter((length) => length > LONG_LINE).reduce((sum, length) => sum + length, 0)
  if (inLongLines > lengths.reduce((sum, length) => sum + length, 0) / 2) return false
  const likeProse = median > SHORT_LINE && continuing > 0.4 * compared.length
  const early = compared.filter((line, at) => {
    const next = compared[at + 1]
    return next && line.end - line.start + 1 + firstWord(text, next) <= longest
  })
  return early.length > (likeProse ? 0.6 : 0.3) * (compared.length - 1)
}

/** Returns text with its letters and digits as classes. */
function shapeOf(text: string): string {
  return text
    .replace(/\p{Lu}/gu, 'A')
    .replace(/[\p{Ll}\p{Lo}]/gu, 'a')
    .replace(/\d/g, '0')
}

/** Returns the length of the first word of a line; in scripts without spaces a line can end after any character. */
function firstWord(text: string, { start, end }: Span): number {
  const line = text.slice(start, Math.min(end, start + 40))
  return /^\p{Lo}/u.test(line) ? 1 : line.search(/\s|$/)
}

const LIST_MARK = /^(?:[-*+•‣◦–]|\(?(?:\d{1,3}|\p{L})[.)])\s/u

/** Returns lines of prose with wrapped lines joined: a line in lower case, or after a full line that does not end a sentence. */
function runningLines(text: string, all: readonly Span[], list: boolean): Span[] {
  const longest = all.reduce((most, { start, end }) => Math.max(most, end - start), 0)
  const margin = longest >= 40 && longest <= 120 ? 0.7 * longest : Infinity
  const running: Span[] = []
  let last: Span | undefined
  for (const line of all) {
    const opening = text.slice(line.start, line.start + 8)
    const full = last !== undefined && last.end - last.start >= margin && !/[.!?:;…。!?]["'”’»)]*$/.test(text.slice(last.end - 4, last.end))
    const before = running.at(-1)
    if (before && !LIST_MARK.test(opening) && (list || full || /^\p{Ll}/u.test(opening)))
      running[running.length - 1] = { start: before.start, end: line.end }
    else running.push(line)
    last = line
  }
  return running
}
