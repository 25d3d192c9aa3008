import type { LayoutBlock, LayoutLine, PageLayout } from './pdf-layout-types.ts'

/** A line of the document with its block, in reading order. */
export interface FlowLine {
  readonly line: LayoutLine
  readonly block: LayoutBlock
  /** Position of the line in its block. */
  readonly at: number
}

/** A heading that consists of lines of the document, or that a bookmark adds where the page shows it as a picture. */
export interface Heading {
  /** Index of its first line in the flow, or of the line before which it is added. */
  readonly from: number
  /** Index after its last line; equal to `from` if the heading is not a line of the document. */
  readonly to: number
  readonly level: number
  /** The title, if it differs from the text of the lines. */
  readonly title?: string
  /** The page of a heading that is not a line of the document. */
  readonly page?: number
}

export function flowOf(pages: readonly PageLayout[]): FlowLine[] {
  return pages.flatMap(({ blocks }) => blocks.flatMap((block) => block.lines.map((line, at) => ({ line, block, at }))))
}

export function headingText(flow: readonly FlowLine[], { from, to }: Pick<Heading, 'from' | 'to'>): string {
  return flow
    .slice(from, to)
    .map(({ line }) => line.text.trim())
    .join(' ')
    .replace(/(\p{Ll})[-\u00AD] (?=\p{Ll})/gu, '$1')
}

/** Returns letters and digits in lower case, the form in which headings are compared. */
export function headingKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

const label =
  /^(?:(?:chapter|part|appendix|annex|section|kapitel|teil|anhang|abschnitt|chapitre|partie|annexe|cap[ií]tulo|parte|ap[eé]ndice|глава|часть|приложение)(?:\s+(?:\d+|[ivxlc]+|[a-zа-я]))?|第\s?[\d一二三四五六七八九十百]+\s?[章部編编]|\d+(?:\.\d+)*\.?|[ivxlc]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)[.:]?$/iu

/** Returns whether a line is only the number of a heading: `Chapter 2`, `ONE`, `Anhang B`, `2.1`. */
export function isLabel(text: string): boolean {
  return label.test(text.trim())
}

/** Returns the index of the first of the label lines above a heading, at most two, in the same style or close to it. */
export function withLabels(flow: readonly FlowLine[], from: number, body: number): number {
  let first = from
  while (from - first < 2) {
    const [before, below] = [flow[first - 1], flow[first]]
    if (!before || !below || before.block.page !== below.block.page || !isLabel(before.line.text)) break
    if (!before.line.bold && before.line.fontSize < 1.1 * body) break
    first--
  }
  return first
}

/** Returns whether a line was recognized by OCR, which has no fonts: its size is that of its letters. */
export function isRecognized({ fontName }: LayoutLine): boolean {
  return fontName === ''
}

/** Returns whether a line ends with a word that another one follows: it is a part of a sentence. */
export function breaksOff(text: string): boolean {
  return /[\s(](?:the|an?|of|and|or|to|in|for|with|by|from|at|as|is|are|der|die|das|und|oder|von|mit|für|de|la|le|les|el|los|y|et|du|des)$/i.test(
    text,
  )
}

/** Returns the font size of most characters, in recognized text the median; 10 without text. */
export function bodySize(flow: readonly FlowLine[]): number {
  const characters = new Map<number, number>()
  let recognized = 0
  for (const { line } of flow) {
    const size = Math.round(line.fontSize * 2) / 2
    if (!line.monospace) characters.set(size, (characters.get(size) ?? 0) + line.text.length)
    if (isRecognized(line)) recognized += line.text.length
  }
  const all = [...characters.values()].reduce((sum, count) => sum + count, 0)
  if (recognized <= all / 2) return [...characters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 10
  let below = 0
  return [...characters].toSorted((a, b) => a[0] - b[0]).find(([, count]) => (below += count) >= all / 2)?.[0] ?? 10
}
