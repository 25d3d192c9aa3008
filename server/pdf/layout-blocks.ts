import { textOf, type Block, type Run } from '../lib/rich-text.ts'
import { lineStyle, shownText, type TextStyle } from './layout-lines.ts'
import { breakablePieces, cleanText, directionOf, type LayoutLine } from './layout-text.ts'

/** A part of a line in one style. */
interface LayoutRun extends Required<Pick<Run, 'strong' | 'emphasis' | 'struck' | 'code'>> {
  /** The part may break between these, in addition to the usual places. */
  readonly pieces: readonly string[]
  /** Whether the line may break before the part. */
  readonly breakBefore: boolean
  readonly href: string | null
}

type RichLine = Omit<LayoutLine, 'pieces'> & { readonly runs: readonly LayoutRun[] }

type LayoutBlock =
  | { readonly type: 'paragraph' | 'code'; readonly lines: readonly RichLine[] }
  | { readonly type: 'heading'; readonly level: number; readonly lines: readonly RichLine[] }
  | { readonly type: 'list'; readonly start: number | null; readonly rtl: boolean; readonly items: readonly (readonly LayoutBlock[])[] }
  | { readonly type: 'quote'; readonly blocks: readonly LayoutBlock[] }
  | { readonly type: 'rule' }
  | { readonly type: 'table'; readonly header: readonly RichLine[][]; readonly rows: readonly (readonly RichLine[][])[] }

/** Characters of a line of the page, of about the width of capital letters. */
const lineLength = 50
/** The share of them that a level of a list takes. */
const indentLength = 3

/** Converts blocks to the data of the layout. */
export function layoutBlocks(blocks: readonly Block[], style: TextStyle, maxWord = lineLength): LayoutBlock[] {
  const inner = Math.max(10, maxWord - indentLength)
  return blocks.map((block) => {
    switch (block.type) {
      case 'paragraph':
        return { type: 'paragraph', lines: richLines(block.runs, style, maxWord) }
      case 'heading':
        return { type: 'heading', level: Math.min(block.level, 3) + 1, lines: richLines(block.runs, style, Math.floor(maxWord * 0.7)) }
      case 'list': {
        const rtl = (directionOf(textOf([block])) ?? style.document.direction) === 'rtl'
        return { type: 'list', start: block.start, rtl, items: block.items.map((item) => layoutBlocks(item, style, inner)) }
      }
      case 'quote':
        return { type: 'quote', blocks: layoutBlocks(block.blocks, style, inner) }
      case 'code':
        return { type: 'code', lines: richLines([{ text: withSpaces(block.text) }], style, inner) }
      case 'rule':
        return block
      default: {
        const ofColumn = Math.max(3, Math.floor(maxWord / block.header.length) - 2)
        const cells = (row: readonly (readonly Run[])[]): RichLine[][] => row.map((cell) => richLines(cell, style, ofColumn))
        return { type: 'table', header: cells(block.header), rows: block.rows.map(cells) }
      }
    }
  })
}

/** Keeps spaces that the layout would collapse or leave out. */
const withSpaces = (code: string): string => code.replace(/ (?= )|^ /gm, '\u00a0')

/** Splits the runs into lines. Words may break inside of runs and between them. */
function richLines(runs: readonly Run[], style: TextStyle, maxWord: number): RichLine[] {
  const lines: Run[][] = [[]]
  for (const run of runs) {
    const [first = '', ...others] = cleanText(run.text).split('\n')
    lines.at(-1)?.push({ ...run, text: first })
    for (const text of others) lines.push([{ ...run, text }])
  }
  return lines.map((line) => ({ ...lineStyle(line.map(({ text }) => text).join(''), style), runs: brokenRuns(line, style, maxWord) }))
}

function brokenRuns(line: readonly Run[], style: TextStyle, maxWord: number): LayoutRun[] {
  const shown = line.map(({ text, ...run }) => ({ ...run, text: shownText(text, style) })).filter(({ text }) => text !== '')
  const breaks = breakOffsets(shown.map(({ text }) => text).join(''), maxWord)
  let start = 0
  return shown.map(({ text, strong = false, emphasis = false, struck = false, code = false, href = null }) => {
    const end = start + text.length
    const inside = breaks.filter((offset) => offset > start && offset < end)
    const ends = [...inside, end]
    const pieces = ends.map((to, index) => text.slice((ends[index - 1] ?? start) - start, to - start))
    const breakBefore = breaks.includes(start)
    start = end
    return { pieces, breakBefore, strong, emphasis, struck, code, href }
  })
}

/** Returns the places at which a line may break, in addition to the usual ones. */
function breakOffsets(line: string, maxWord: number): number[] {
  let offset = 0
  return breakablePieces(line, maxWord)
    .slice(0, -1)
    .map((piece) => (offset += piece.length))
}
