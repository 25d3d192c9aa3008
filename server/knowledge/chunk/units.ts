import type { Block, ExtractedDocument } from '../extract/document.ts'
import { outline, type Section } from './outline.ts'
import { codeLines, type Part, proseSentences, tableRows } from './parts.ts'
import { type Span, sentenceSplitter, trimmed } from './sentences.ts'
import type { TokenIndex } from './tokens.ts'

/** The strength of the separation from the previous unit. */
export type Joint = 'section' | 'block' | 'line' | 'sentence' | 'word'

/** The smallest part that a structural strategy moves: a heading, sentence, table, row, code block or line. */
export interface Unit extends Span {
  readonly joint: Joint
  readonly kind: Block['kind']
  readonly section: Section
  /** Tokens of the document before its start and before its end. */
  readonly from: number
  readonly to: number
  /** The table header rows that a chunk repeats when it begins here, and their tokens. */
  readonly header: Span | null
  readonly headerTokens: number
}

type Growing = Omit<Unit, 'end' | 'to'> & { end: number; to: number }

/** A unit with fewer tokens is merged with its successor, which bounds the search over units. */
const MIN_TOKENS = 8

/** A table header above this share of a chunk is not repeated: it would leave too little space for rows. */
const MAX_HEADER = 1 / 3

/**
 * Splits a document into units of at most `size` tokens. A table or a code block is one unit if it fits; otherwise its rows or
 * lines are, and longer ones are cut evenly between words, and words longer than a unit between graphemes.
 */
export function toUnits(document: ExtractedDocument, tokens: TokenIndex, size: number): Unit[] {
  const { text, blocks } = document
  const sections = outline(document)
  const split = sentenceSplitter(document.language)
  const units: Growing[] = []

  blocks.forEach(({ kind, start, end }, position) => {
    const section = sections[position]
    const block = trimmed(text, start, end)
    if (!section || !block) return
    const { head, parts, header } = taken(block, kind)
    const headerTokens = header ? tokenCount(header) + 1 : 0
    let opening: Joint | null = kind === 'heading' ? 'section' : 'block'

    const add = (part: Span, joint: Joint, repeated: Span | null) => {
      const room = repeated ? size - headerTokens : size
      for (let rest: Span | null = part, next = joint; rest; next = 'word') {
        const piece: Span = trimmed(text, rest.start, evenCut(rest, room)) ?? rest
        append({
          start: piece.start,
          end: piece.end,
          joint: opening ?? next,
          kind,
          section,
          from: tokens.before(piece.start),
          to: tokens.before(piece.end),
          header: repeated,
          headerTokens: repeated ? headerTokens : 0,
        })
        opening = null
        rest = trimmed(text, piece.end, rest.end)
      }
    }
    if (head) add(head, 'line', null)
    for (const part of parts) add(part, part.joint, header)
  })
  return units

  function taken(block: Span, kind: Block['kind']): { head: Span | null; parts: readonly Part[]; header: Span | null } {
    if (kind === 'heading' || ((kind === 'table' || kind === 'code') && tokenCount(block) <= size))
      return { head: block, parts: [], header: null }
    if (kind === 'code') return { head: null, parts: codeLines(text, block), header: null }
    if (kind !== 'table') return { head: null, parts: proseSentences(text, block, kind, split), header: null }
    const { header, rows } = tableRows(text, block)
    return { head: header, parts: rows, header: header && tokenCount(header) <= size * MAX_HEADER ? header : null }
  }

  /** Returns where to cut a part of more than `room` tokens, so that its pieces have about the same length. */
  function evenCut(part: Span, room: number): number {
    const pieces = Math.ceil(tokenCount(part) / room)
    if (pieces < 2) return part.end
    const even = tokens.cut(part.start, part.end, Math.ceil(tokenCount(part) / pieces))
    const line = text.lastIndexOf('\n', even)
    if (line > (part.start + even) >> 1) return line
    const isBetweenWords = /\s/.test(text.slice(even - 1, even + 1))
    // A word that does not fit an even piece can still fit a whole one.
    return isBetweenWords ? even : tokens.cut(part.start, part.end, room)
  }

  function tokenCount({ start, end }: Span): number {
    return tokens.before(end) - tokens.before(start)
  }

  function append(unit: Growing): void {
    const before = units.at(-1)
    if (before && absorbs(before, unit) && unit.to - before.from + before.headerTokens <= size) {
      before.end = unit.end
      before.to = unit.to
    } else units.push(unit)
  }
}

function absorbs(before: Unit, unit: Unit): boolean {
  if (before.to - before.from >= MIN_TOKENS || before.kind !== unit.kind || before.section !== unit.section) return false
  if (unit.joint === 'block') return unit.kind === 'paragraph' && unit.to - unit.from < MIN_TOKENS
  return (unit.joint === 'line' || unit.joint === 'sentence') && before.header === unit.header
}
