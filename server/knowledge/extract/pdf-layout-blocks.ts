import { clusters } from './pdf-layout-boxes.ts'
import { codeText, stretchesOf } from './pdf-layout-code.ts'
import { joinLines, type Line } from './pdf-layout-lines.ts'
import { marker, paragraphsOf, type Paragraph } from './pdf-layout-paragraphs.ts'
import type { LayoutBlock, LayoutLine } from './pdf-layout-types.ts'

/** Properties of a document that decide how its lines are read. */
export interface Typography {
  /** Set in monospace, or a scan: the font does not mean code. */
  readonly isTypewritten: boolean
  /** The sizes of fonts are measured, as in scans: those of a paragraph differ. */
  readonly sizesVary: boolean
}

/** Returns the paragraphs, lists and code of a column. */
export function blocksOf(lines: readonly Line[], page: number, { isTypewritten, sizesVary }: Typography): LayoutBlock[] {
  const stretches = isTypewritten ? [{ isCode: false, lines }] : stretchesOf(lines)
  return stretches.flatMap((stretch) =>
    stretch.isCode
      ? [blockOf('code', page, stretch.lines, codeText(stretch.lines))]
      : textBlocks(paragraphsOf(stretch.lines, sizesVary), page),
  )
}

function textBlocks(paragraphs: readonly Paragraph[], page: number): LayoutBlock[] {
  const blocks: LayoutBlock[] = []
  for (let at = 0; at < paragraphs.length; at++) {
    const items = itemsFrom(paragraphs, at)
    const paragraph = paragraphs[at]
    if (items.length > 0) blocks.push(listOf(items, page))
    else if (paragraph) blocks.push(paragraphOf(paragraph, page))
    at += Math.max(0, items.length - 1)
  }
  return blocks
}

function paragraphOf({ lines, keepsLines }: Paragraph, page: number): LayoutBlock {
  const texts = lines.map(({ text }) => withoutLeaders(text))
  return blockOf('paragraph', page, lines, keepsLines ? texts.join('\n') : joinLines(texts))
}

interface Marker {
  readonly text: string
  readonly left: number
  /** Place in the sequence, absent for bullets: 3 for `3.`, `c)` and `iii.` */
  readonly numbers?: readonly number[]
}

function markerOf({ lines: [first] }: Paragraph): Marker | null {
  const found = first ? marker.exec(first.text) : null
  if (!first || !found) return null
  const text = found[0].trim()
  const label = /^\(?(\w+)[.)]$/.exec(text)?.[1]
  if (label === undefined) return text.startsWith('[') ? null : { text, left: first.left }
  return { text, left: first.left, numbers: numbersOf(label.toLowerCase()) }
}

function numbersOf(label: string): number[] {
  if (/^\d+$/.test(label)) return [Number(label)]
  const roman = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'].indexOf(label) + 1
  return [...(label.length === 1 ? [label.charCodeAt(0) - 96] : []), ...(roman > 0 ? [roman] : [])]
}

/**
 * Returns the list items from `start`. A numbered line is an item if a neighbour continues its number, or if its other lines are
 * indented to its text. A single numbered line, or a bold one, may be a heading.
 */
function itemsFrom(paragraphs: readonly Paragraph[], start: number): Paragraph[] {
  const items: Paragraph[] = []
  for (const paragraph of paragraphs.slice(start)) {
    const found = markerOf(paragraph)
    if (!found || (found.numbers && paragraph.lines.every(({ bold }) => bold))) break
    items.push(paragraph)
  }
  const isItem = (paragraph: Paragraph, at: number): boolean => {
    const numbers = markerOf(paragraph)?.numbers
    if (!numbers) return true
    const others = items.filter((_, other) => other !== at).flatMap((other) => markerOf(other)?.numbers ?? [])
    return numbers.some((number) => others.includes(number + 1) || others.includes(number - 1)) || hangs(paragraph)
  }
  const end = items.findIndex((paragraph, at) => !isItem(paragraph, at))
  return end === -1 ? items : items.slice(0, end)
}

function hangs({ lines: [first, ...others] }: Paragraph): boolean {
  return first !== undefined && others.length > 0 && others.every(({ left }) => left > first.left + 0.8 * first.fontSize)
}

function listOf(items: readonly Paragraph[], page: number): LayoutBlock {
  const lefts = clusters(
    items.map((item) => markerOf(item)?.left ?? 0),
    4,
  )
  const text = items.map((item) => {
    const found = markerOf(item)
    const depth = lefts.filter((left) => left < (found?.left ?? 0) - 4).length
    const [first = '', ...others] = item.lines.map((line) => withoutLeaders(line.text))
    return `${'  '.repeat(depth)}${found?.numbers ? found.text : '-'} ${joinLines([first.replace(marker, ''), ...others])}`
  })
  return blockOf(
    'list',
    page,
    items.flatMap(({ lines }) => lines),
    text.join('\n'),
  )
}

/** Replaces the dots that lead to a page number. */
function withoutLeaders(text: string): string {
  return text.replace(/\s*(?:(?:\.\s?){5,}|(?:…\s?){2,})\s*/g, ' … ')
}

function blockOf(kind: LayoutBlock['kind'], page: number, lines: readonly LayoutLine[], text: string): LayoutBlock {
  return { kind, page, lines, text }
}
