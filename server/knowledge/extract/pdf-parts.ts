import type { Part } from './draft.ts'
import { headingText, type FlowLine, type Heading } from './pdf-headings.ts'
import { joinLines } from './pdf-layout-lines.ts'
import type { LayoutBlock, PageLayout } from './pdf-layout-types.ts'

/** Returns the parts of a document: its blocks in order, divided where one of their lines is a heading. */
export function partsOf(pages: readonly PageLayout[], flow: readonly FlowLine[], headings: readonly Heading[]): Part[] {
  const parts: Part[] = []
  const byLine = new Map<number, Heading[]>()
  for (const heading of headings) byLine.set(heading.from, [...(byLine.get(heading.from) ?? []), heading])
  const ofHeadings = new Set(headings.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)))
  const add = (line: number): void => {
    for (const heading of byLine.get(line) ?? []) parts.push(headingPart(flow, heading))
  }
  let line = 0
  for (const block of pages.flatMap(({ blocks }) => blocks)) {
    const first = line
    line += block.lines.length
    const lines = Array.from(block.lines.keys())
    const isWhole = block.kind === 'table' || lines.every((at) => !ofHeadings.has(first + at) && (at === 0 || !byLine.has(first + at)))
    if (isWhole) {
      for (const at of lines) add(first + at)
      parts.push({ kind: block.kind, text: block.text, page: block.page })
      continue
    }
    let kept: number[] = []
    const flush = (): void => {
      if (kept.length > 0) parts.push({ kind: block.kind, text: textOf(block, kept), page: block.page })
      kept = []
    }
    for (const at of lines) {
      if (byLine.has(first + at)) flush()
      add(first + at)
      if (!ofHeadings.has(first + at)) kept.push(at)
    }
    flush()
  }
  add(line)
  return parts.map(withoutLiterals)
}

function headingPart(flow: readonly FlowLine[], heading: Heading): Part {
  const text = headingText(flow, heading) || (heading.title ?? '')
  const page = heading.page ?? flow[heading.from]?.block.page
  return {
    kind: 'heading',
    level: heading.level,
    text,
    ...(heading.title !== undefined && heading.title !== text && { title: heading.title }),
    ...(page !== undefined && { page }),
  }
}

/** Returns the text of some lines of a block. */
function textOf({ kind, text, lines }: LayoutBlock, kept: readonly number[]): string {
  const shown = text.split('\n')
  if (kind === 'paragraph') return joinLines(kept.map((at) => lines[at]?.text ?? ''))
  // Code has its indentation only in the text of the block.
  return kept.map((at) => (shown.length === lines.length ? shown[at] : lines[at]?.text) ?? '').join('\n')
}

/** dblatex under Python 3 writes the literal of an empty byte string around each box-drawing character. */
export function withoutLiterals(part: Part): Part {
  return { ...part, text: part.text.replace(/b(?:''|’’)(?=[\u2500-\u257F])|(?<=[\u2500-\u257F])b(?:''|’’)/g, '') }
}
