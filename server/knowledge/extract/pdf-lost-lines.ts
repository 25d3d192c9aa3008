import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse'
import { lettersOf } from './pdf-paragraphs.ts'

type TextItem = Pick<ParsedPage['textItems'][number], 'text' | 'x' | 'y' | 'width' | 'height'>
type Page = Pick<ParsedPage, 'blocks'> & { readonly textItems: readonly TextItem[] }

/** Letters of a text item whose occurrence in a block is not a coincidence. */
const minLetters = 8

/**
 * Returns a page with the first lines of paragraphs that liteparse's layout lost, which happens if one begins in another font:
 * text that is in no block and closely above a paragraph, within its width.
 */
export function withLostLines<P extends Page>(page: P): P {
  const { blocks = [], textItems } = page
  const known = lettersOf(
    blocks
      .flatMap(({ text = '', lines = [], header = [], rows = [] }) => [
        text,
        ...lines,
        ...[header, ...rows].flat().map((cell) => cell.text),
      ])
      .join(' '),
  )
  const lost = textItems.filter(({ text }) => {
    const letters = lettersOf(text)
    return letters.length >= minLetters && !known.includes(letters)
  })
  if (lost.length === 0) return page
  return { ...page, blocks: blocks.map((block) => withLineAbove(block, lost, textItems)) }
}

function withLineAbove(block: LayoutBlock, lost: readonly TextItem[], items: readonly TextItem[]): LayoutBlock {
  const { kind, bbox, text } = block
  if (kind !== 'paragraph' || !bbox || !text) return block
  const within = ({ x, width }: TextItem): boolean => x > bbox.x - 6 && x + width < bbox.x + bbox.width + 6
  const first = lost.find((item) => {
    const gap = bbox.y - (item.y + item.height)
    return within(item) && gap > -0.3 * item.height && gap < 0.8 * item.height
  })
  if (!first) return block
  const line = items
    .filter((item) => within(item) && Math.abs(middle(item) - middle(first)) < first.height / 3)
    .toSorted((a, b) => a.x - b.x)
  return { ...block, text: joined(lineText(line), text), bbox: { ...bbox, y: first.y, height: bbox.y + bbox.height - first.y } }
}

function middle({ y, height }: TextItem): number {
  return y + height / 2
}

function lineText(line: readonly TextItem[]): string {
  return line.reduce((text, item, at) => {
    const before = line[at - 1]
    const apart = before !== undefined && item.x - before.x - before.width > 0.1 * item.height
    return text + (apart ? ' ' : '') + item.text.trim()
  }, '')
}

function joined(line: string, text: string): string {
  return /\p{Ll}-$/u.test(line) && /^\p{Ll}/u.test(text) ? line.slice(0, -1) + text : `${line} ${text}`
}
