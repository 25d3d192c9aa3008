import { proseSentences } from '../chunk/parts.ts'
import { sentenceSplitter, trimmed, type Span } from '../chunk/sentences.ts'

/** A part of a passage that can be read out alone. Offsets are UTF-16 code units of the passage. */
export interface PassageUnit extends Span {
  readonly kind: 'sentence' | 'row' | 'line' | 'heading'
  /** The header row above a row of a table. */
  readonly header: Span | null
}

type Splitter = (text: string, start: number, end: number) => Span[]
const splitters = new Map<string, Splitter>()

/** Creating a segmenter takes longer than splitting a passage with it. */
function splitterOf(language: string): Splitter {
  let splitter = splitters.get(language)
  if (splitter === undefined) splitters.set(language, (splitter = sentenceSplitter(language)))
  return splitter
}

const blankLines = /\n[^\S\n]*\n\s*/g
const tableStart = /^\|/
const delimiterRow = /^[\s|:-]*-[\s|:-]*$/
const listStart = /^(?:[-*+•‣◦–]|\(?\d{1,3}[.)])\s/u
const codeLine = /[{};]$|^\s{2,}\S|=>|^(?:#|\/\/|\$) ?\S/
const sentenceEnd = /[.!?:;…。！？؟।]["'”’»)\]]*$/u
const maxHeadingLength = 100

/**
 * Returns the sentences, table rows, list items, code lines and headings of a passage, in order. Header and delimiter rows of
 * a table are no units, unless the table has no other row.
 * @param language a result of `analysisLanguage`
 */
export function passageUnits(text: string, language: string): PassageUnit[] {
  const split = splitterOf(language)
  const units: PassageUnit[] = []
  let from = 0
  const addBlock = (to: number): void => {
    const block = trimmed(text, from, to)
    if (block !== null) units.push(...blockUnits(text, block, split, to === text.length))
  }
  for (const { index, 0: gap } of text.matchAll(blankLines)) {
    addBlock(index)
    from = index + gap.length
  }
  addBlock(text.length)
  return units
}

function blockUnits(text: string, block: Span, split: Splitter, isLast: boolean): PassageUnit[] {
  const content = text.slice(block.start, block.end)
  const lines = content.includes('\n') ? linesOf(text, block) : [block]
  // A chunk repeats the header of a table without the blank line before it.
  if (tableStart.test(content)) return tableUnits(text, lines)
  if (lines.length > 2 && 2 * lines.filter(({ start, end }) => codeLine.test(text.slice(start, end))).length > lines.length)
    return lines.flatMap(({ start, end }) => unitOf(text, start, end, 'line'))
  if (lines.length === 1 && !isLast && content.length <= maxHeadingLength && !listStart.test(content) && !sentenceEnd.test(content))
    return [{ ...block, kind: 'heading', header: null }]
  const kind = listStart.test(content) ? 'list' : 'paragraph'
  return proseSentences(text, block, kind, split).map(({ start, end }) => ({ start, end, kind: 'sentence', header: null }))
}

function tableUnits(text: string, lines: readonly Span[]): PassageUnit[] {
  const isDelimiter = ({ start, end }: Span): boolean => delimiterRow.test(text.slice(start, end))
  const [first, second] = lines
  const header = first !== undefined && second !== undefined && isDelimiter(second) ? first : null
  const rows = header === null ? lines.filter((line) => !isDelimiter(line)) : lines.slice(2)
  return (rows.length === 0 && header !== null ? [header] : rows).flatMap(({ start, end }) =>
    unitOf(text, start, end, 'row').map((row) => ({ ...row, header: row.start === header?.start ? null : header })),
  )
}

function unitOf(text: string, start: number, end: number, kind: PassageUnit['kind']): PassageUnit[] {
  const span = trimmed(text, start, end)
  return span === null ? [] : [{ ...span, kind, header: null }]
}

/** Returns the lines of a block, with their indentation. */
function linesOf(text: string, { start, end }: Span): Span[] {
  const lines: Span[] = []
  for (let from = start; from < end;) {
    const feed = text.indexOf('\n', from)
    const to = feed < 0 || feed > end ? end : feed
    lines.push({ start: from, end: to })
    from = to + 1
  }
  return lines
}
