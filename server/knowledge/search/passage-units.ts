import { isDelimiterRow, proseSentences, tableRows } from '../chunk/parts.ts'
import { sentenceSplitter, trimmed, type SentenceSplitter, type Span } from '../chunk/sentences.ts'
import { languageOf } from '../index/analyze.ts'

/** A part of a passage that can be read out alone. Offsets are UTF-16 code units of the passage. */
export interface PassageUnit extends Span {
  readonly kind: 'sentence' | 'row' | 'line' | 'heading'
  /** The header row above a row of a table. */
  readonly header: Span | null
}

const blankLines = /\n[^\S\n]*\n\s*/g
const tableStart = /^\|/
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
  const split = sentenceSplitter(languageOf(language))
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

function blockUnits(text: string, block: Span, split: SentenceSplitter, isLast: boolean): PassageUnit[] {
  const content = text.slice(block.start, block.end)
  // A chunk repeats the header of a table without the blank line before it.
  if (tableStart.test(content)) return tableUnits(text, block)
  const lines = content.includes('\n') ? linesOf(text, block) : [block]
  if (lines.length > 2 && 2 * lines.filter(({ start, end }) => codeLine.test(text.slice(start, end))).length > lines.length)
    return lines.flatMap(({ start, end }) => lineUnit(text, start, end))
  if (lines.length === 1 && !isLast && content.length <= maxHeadingLength && !listStart.test(content) && !sentenceEnd.test(content))
    return [{ ...block, kind: 'heading', header: null }]
  const kind = listStart.test(content) ? 'list' : 'paragraph'
  return proseSentences(text, block, kind, split).map(({ start, end }) => ({ start, end, kind: 'sentence', header: null }))
}

function tableUnits(text: string, block: Span): PassageUnit[] {
  const { headerRow, rows } = tableRows(text, block)
  if (headerRow !== null && rows.length === 0) return [{ ...headerRow, kind: 'row', header: null }]
  const content = headerRow === null ? rows.filter((row) => !isDelimiterRow(text, row)) : rows
  return content.map(({ start, end }) => ({ start, end, kind: 'row', header: headerRow }))
}

function lineUnit(text: string, start: number, end: number): PassageUnit[] {
  const span = trimmed(text, start, end)
  return span === null ? [] : [{ ...span, kind: 'line', header: null }]
}

/** Returns the lines of a block, with the indentation that tells code from prose. */
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
