import type { Range } from './divide.ts'
import { type Span, trimmed } from './sentences.ts'
import type { TokenIndex } from './tokens.ts'
import type { Unit } from './units.ts'

/** The span of a future chunk, and the table header rows that are repeated before it. */
export interface Passage extends Span {
  readonly header: Span | null
}

/** A passage with its number of tokens. */
export interface CountedPassage extends Passage {
  readonly tokens: number
}

export function toPassage(units: readonly Unit[], [from, to]: Range): Passage {
  const first = units[from]
  const last = units[to - 1]
  if (!first || !last) throw new RangeError(`no units from ${from} to ${to}`)
  return { start: first.start, end: last.end, header: first.header }
}

export function passageText(text: string, { start, end, header }: Passage): string {
  const own = text.slice(start, end)
  return header ? `${text.slice(header.start, header.end)}\n${own}` : own
}

/**
 * Splits a passage into parts of at most `size` tokens as `countTokens` counts them: sums over units are approximate at their ends,
 * so a passage can exceed `size` by a few tokens, which should not become a chunk.
 */
export function bounded(text: string, tokens: TokenIndex, passage: Passage, size: number): CountedPassage[] {
  const parts: CountedPassage[] = []
  for (let rest: Span | null = passage; rest;) {
    const whole: Passage = { start: rest.start, end: passage.end, header: passage.header }
    const longest: CountedPassage = fitting(text, tokens, whole, size)
    const part = longest.end < passage.end ? balanced(text, tokens, whole, longest, size) : longest
    parts.push(part)
    rest = trimmed(text, part.end, passage.end)
  }
  return parts
}

/** Returns the part of a passage up to the end of a line in the second half of `longest`, or else about half of it. */
function balanced(text: string, tokens: TokenIndex, passage: Passage, longest: CountedPassage, size: number): CountedPassage {
  const line = text.lastIndexOf('\n', longest.end)
  if (line > (longest.start + longest.end) >> 1) {
    const part = { ...passage, ...trimmed(text, passage.start, line) }
    return { ...part, tokens: tokens.count(passageText(text, part)) }
  }
  const half = fitting(text, tokens, passage, Math.ceil(size * 0.6))
  return /\s/.test(text.slice(half.end, half.end + 1)) ? half : longest
}

/** Returns the longest prefix of a passage with at most `size` tokens as `countTokens` counts them. */
export function fitting(text: string, tokens: TokenIndex, passage: Passage, size: number): CountedPassage {
  const header = passage.header ? tokens.count(text.slice(passage.header.start, passage.header.end)) + 1 : 0
  for (let budget = Math.max(1, size - header); ; budget--) {
    const part = { ...passage, ...trimmed(text, passage.start, tokens.cut(passage.start, passage.end, budget)) }
    const exact = tokens.count(passageText(text, part))
    if (exact <= size || budget <= 1) return { ...part, tokens: exact }
  }
}
