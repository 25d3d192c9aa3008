import { bodySize, breaksOff, headingKey, headingText, isLabel, isRecognized, type FlowLine, type Heading } from './pdf-headings.ts'
import { headingLevels } from './pdf-heading-levels.ts'
import type { LayoutLine } from './pdf-layout-types.ts'
import { isCaption, isContents } from './title.ts'

interface Candidate {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Longest headings in characters, in a larger font and in bold alone. */
const longest = { large: 160, bold: 100 }
/**
 * Returns the headings of a document without bookmarks: one or two short lines in a larger or bold font, that begin a block
 * and are no sentence, no caption, no entry of a table of contents, and not the same on many pages.
 */
export function headingsByFont(flow: readonly FlowLine[]): Heading[] {
  const body = bodySize(flow)
  const isBold = boldOf(flow, body)
  const listings = pagesOfContents(flow)
  const candidates = candidatesIn(flow, body, isBold).filter(({ from, text }) => {
    const page = flow[from]?.block.page
    return page === undefined || !listings.has(page) || isContents(text)
  })
  return headingLevels(flow, joinLabels(flow, withoutRepeated(flow, withoutEntries(candidates))))
}

/** Returns whether a line is bold in a document whose text is not. */
function boldOf(flow: readonly FlowLine[], body: number): (line: LayoutLine) => boolean {
  const ofBody = flow.filter(({ line }) => Math.abs(line.fontSize - body) < 0.6)
  const length = (lines: readonly FlowLine[]): number => lines.reduce((sum, { line }) => sum + line.text.length, 0)
  const usual = length(ofBody.filter(({ line }) => line.bold)) > 0.4 * length(ofBody)
  return ({ bold }) => bold && !usual
}

function candidatesIn(flow: readonly FlowLine[], body: number, isBold: (line: LayoutLine) => boolean): Candidate[] {
  const candidates: Candidate[] = []
  const isLarge = (line: LayoutLine): boolean => line.fontSize >= (isRecognized(line) ? 1.4 : 1.12) * body
  const isStyled = (line: LayoutLine): boolean => isLarge(line) || (isBold(line) && line.fontSize >= 0.95 * body)
  for (let from = 0; from < flow.length;) {
    const first = flow[from]
    let to = from + 1
    while (continues(flow[to - 1], flow[to])) to++
    if (first && (first.at === 0 || candidates.at(-1)?.to === from) && isStyled(first.line) && mayHaveHeadings(first.block, to - from)) {
      const text = headingText(flow, { from, to })
      const large = isLarge(first.line)
      const following = flow[to]?.block === first.block ? flow[to]?.line.text : ''
      const maxLines = first.line.fontSize >= 1.5 * body ? 4 : large ? 3 : 2
      if (to - from <= maxLines && !first.line.monospace && readsAsHeading(text, large, following)) candidates.push({ from, to, text })
    }
    from = to
  }
  return candidates
}

/** A single numbered line may have been taken for a list. */
function mayHaveHeadings({ kind, lines }: FlowLine['block'], count: number): boolean {
  return kind === 'paragraph' || (kind === 'list' && (lines.length === count || /^\d+(?:\.\d+)+\.?\s/.test(lines[0]?.text ?? '')))
}

/** Returns whether a line has the style of the previous line of its block. */
function continues(last: FlowLine | undefined, next: FlowLine | undefined): boolean {
  if (!last || !next || last.block !== next.block) return false
  const numbered = /^\d+(?:\.\d+)+\.?\s|^(?:chapter|kapitel)\s\d/i.test(next.line.text)
  const tolerance = isRecognized(next.line) ? 0.2 * next.line.fontSize : 0.6
  return !numbered && last.line.bold === next.line.bold && Math.abs(last.line.fontSize - next.line.fontSize) < tolerance
}

function readsAsHeading(text: string, large: boolean, following = ''): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < 2 && !isLabel(text)) return false
  if (letters < 0.4 * text.replace(/\s/g, '').length && !isLabel(text)) return false
  if (text.length > (large ? longest.large : longest.bold) || words(text) > (large ? 24 : 14)) return false
  if (isDate(text) || breaksOff(text) || isCaption(text) || /^[•▪◦‣*–-]\s|\.{4,}|(?:\. ){3,}|https?:|^[\w.]+@\w/.test(text)) return false
  if (/[,;–—&-]$/.test(text) || (!large && text.endsWith(':'))) return false
  if (/[.。]$/.test(text) && (words(text) > 6 || !(large || /^\d/.test(text)))) return false
  // The sentence goes on, so the bold words are a part of it.
  if (/^\p{Ll}/u.test(following.trim()) && !/[.!?。]$/.test(text)) return false
  return !/^\p{Ll}/u.test(text) || (large && words(text) > 1)
}

function isDate(text: string): boolean {
  return (
    words(text) <= 3 &&
    /(?:^|\s)\d{1,2}(?:\.|,|\s|$)/.test(text) &&
    /\b(?:19|20)\d\d$/.test(text) &&
    !/^\d+(?:\.\d+)*\.?\s+\p{L}.*\s\p{L}/u.test(text)
  )
}

function words(text: string): number {
  return text.match(/\p{L}+/gu)?.length ?? 0
}

/** Returns the pages on which many lines end with a page number. */
function pagesOfContents(flow: readonly FlowLine[]): Set<number> {
  const counts = new Map<number, { lines: number; entries: number }>()
  for (const { line, block } of flow) {
    const count = counts.get(block.page) ?? { lines: 0, entries: 0 }
    const isEntry = /(?:\.\s?){4,}\s*[\divxlc]+$|\p{L}.*\s[\divxlc]{1,4}$/u.test(line.text.trim())
    counts.set(block.page, { lines: count.lines + 1, entries: count.entries + (isEntry ? 1 : 0) })
  }
  return new Set([...counts].flatMap(([page, { lines, entries }]) => (entries >= 8 && entries > 0.5 * lines ? [page] : [])))
}

/** Removes entries of a table of contents: a later heading with a page number. */
function withoutEntries(candidates: readonly Candidate[]): Candidate[] {
  const last = new Map(candidates.map(({ from, text }) => [headingKey(text), from]))
  return candidates.filter(({ from, text }) => {
    const entry = /^(.*\p{L}.*?)[\s.]+[\divxlc]{1,4}$/u.exec(text)?.[1]
    return entry === undefined || (last.get(headingKey(entry)) ?? -1) <= from
  })
}

/** Removes texts that stand at the same height of three pages close to each other, as running heads do. */
function withoutRepeated(flow: readonly FlowLine[], candidates: readonly Candidate[]): Candidate[] {
  const placeOf = ({ from, text }: Candidate): string =>
    `${headingKey(text).replace(/\d/g, '')} ${Math.round((flow[from]?.line.top ?? 0) / 6)}`
  const pages = new Map<string, Set<number>>()
  for (const candidate of candidates) {
    const page = flow[candidate.from]?.block.page ?? 0
    pages.set(placeOf(candidate), (pages.get(placeOf(candidate)) ?? new Set()).add(page))
  }
  return candidates.filter((candidate) => {
    const on = [...(pages.get(placeOf(candidate)) ?? [])].toSorted((a, b) => a - b)
    return on.every((page, at) => (on[at + 2] ?? Infinity) - page > 4)
  })
}

/** Joins a line that is only a number, such as `Chapter 2`, with the heading below it; others of these lines are no headings. */
function joinLabels(flow: readonly FlowLine[], candidates: readonly Candidate[]): Candidate[] {
  const joined: Candidate[] = []
  for (const candidate of candidates) {
    const last = joined.at(-1)
    const samePage = last && flow[last.from]?.block.page === flow[candidate.from]?.block.page
    if (last && samePage && last.to === candidate.from && isLabel(last.text) && !/[.:]\s*\S/.test(last.text))
      joined[joined.length - 1] = { from: last.from, to: candidate.to, text: `${last.text} ${candidate.text}` }
    else joined.push(candidate)
  }
  return joined.filter(({ text }) => /\p{L}{2}/u.test(text) || (text.match(/\p{L}/gu)?.length ?? 0) > 1)
}
