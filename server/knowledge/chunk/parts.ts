import type { Block } from '../extract/document.ts'
import { type Span, trimmed } from './sentences.ts'
import type { Joint } from './units.ts'

/** A part of a block that is kept whole if possible, with its separation from the previous part. */
export interface Part extends Span {
  readonly joint: Joint
}

/** Returns the rows of a table. The header with its delimiter row is one part; without a delimiter row it is a row like the others. */
export function tableRows(text: string, table: Span): { readonly header: Span | null; readonly rows: readonly Part[] } {
  const [head, delimiter, ...others] = lines(text, table)
  if (!head || !delimiter || !/^[\s|:-]*-[\s|:-]*$/.test(text.slice(delimiter.start, delimiter.end)))
    return { header: null, rows: lines(text, table).map(onOwnLine) }
  return { header: { start: head.start, end: delimiter.end }, rows: others.map(onOwnLine) }
}

export function codeLines(text: string, code: Span): Part[] {
  return lines(text, code).map(onOwnLine)
}

/** Returns the sentences of a paragraph or a list, by line if its line breaks are more than wrapping. */
export function proseSentences(
  text: string,
  prose: Span,
  kind: Block['kind'],
  split: (text: string, start: number, end: number) => Span[],
): Part[] {
  return runningLines(text, prose, kind === 'list').flatMap(({ start, end }) =>
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

const LIST_MARK = /^(?:[-*+•‣◦–]|\(?(?:\d{1,3}|\p{L})[.)])\s/u

/** Returns lines of prose with wrapped lines joined: a line in lower case, or after a full line that does not end a sentence. */
function runningLines(text: string, span: Span, list: boolean): Span[] {
  const all = lines(text, span)
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
