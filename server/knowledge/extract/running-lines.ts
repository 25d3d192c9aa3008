import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse'

const edge = 0.08
const pagesThatTell = 4

/**
 * Leaves out running headers, footers and page numbers: single lines in the top or bottom edge of the page that stand at the same
 * height on half of the pages, and whose words (digits aside) are on at least three pages or are no words at all.
 */
export function withoutRunningLines(pages: readonly ParsedPage[]): { page: number; blocks: LayoutBlock[] }[] {
  const heights = new Map<string, number>()
  const wordings = new Map<string, number>()
  for (const page of pages)
    for (const block of page.blocks ?? []) {
      const height = edgeHeight(block, page)
      if (height === null) continue
      heights.set(height, (heights.get(height) ?? 0) + 1)
      for (const key of wordingsOf(block)) wordings.set(key, (wordings.get(key) ?? 0) + 1)
    }
  const runs = (block: LayoutBlock, page: ParsedPage): boolean => {
    const height = edgeHeight(block, page)
    if (height === null || pages.length < pagesThatTell) return false
    const repeated = wordingsOf(block).some((key) => key === '' || (wordings.get(key) ?? 0) >= 3)
    return repeated && (heights.get(height) ?? 0) >= pages.length * 0.4
  }
  return pages.map((page) => ({ page: page.pageNum, blocks: (page.blocks ?? []).filter((block) => !runs(block, page)) }))
}

/** Where a single line in a page's edge stands, to two points; odd and even pages may differ in their sides, not in this. */
function edgeHeight(block: LayoutBlock, page: ParsedPage): string | null {
  const { bbox, text = '' } = block
  if (!bbox || (block.kind !== 'paragraph' && block.kind !== 'heading') || text.length > 120 || bbox.height > 24) return null
  const inEdge = bbox.y + bbox.height < page.height * edge || bbox.y > page.height * (1 - edge)
  return inEdge ? String(Math.round((bbox.y + bbox.height / 2) / 4)) : null
}

/** The whole line, and its first and last words: a header names the chapter and then the section. */
function wordingsOf({ text = '' }: LayoutBlock): string[] {
  const words = text
    .toLowerCase()
    .replace(/[\d\p{P}\p{S}]+/gu, ' ')
    .trim()
    .split(/\s+/)
  const whole = words.join(' ')
  return words.length < 4 ? [whole] : [whole, `${words.slice(0, 2).join(' ')} …`, `… ${words.slice(-2).join(' ')}`]
}
