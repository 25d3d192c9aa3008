import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse'

const edge = 0.08
const outermost = 0.035
const pagesThatTell = 4

/** The blocks of a page, and the removed ones. */
export interface PageBlocks {
  readonly page: number
  readonly blocks: readonly LayoutBlock[]
  readonly running: readonly LayoutBlock[]
}

/**
 * Removes running headers, footers and page numbers. Over all pages: single lines at the top or bottom edge that have the same
 * height on many pages, and whose words (except digits) occur on at least three pages or are no words. On any page: a single
 * line at the outermost edge, and a line at the edge that is a page number, or a title with one.
 */
export function withoutRunningLines(pages: readonly ParsedPage[]): PageBlocks[] {
  const heights = new Map<string, number>()
  const wordings = new Map<string, number>()
  for (const page of pages)
    for (const block of page.blocks ?? []) {
      const height = edgeHeight(block, page)
      if (height === null) continue
      heights.set(height, (heights.get(height) ?? 0) + 1)
      for (const key of wordingsOf(block)) wordings.set(key, (wordings.get(key) ?? 0) + 1)
    }
  const repeats = (block: LayoutBlock, height: string): boolean => {
    if (pages.length < pagesThatTell) return false
    const repeated = wordingsOf(block).some((key) => key === '' || (wordings.get(key) ?? 0) >= 3)
    return repeated && (heights.get(height) ?? 0) >= pages.length * 0.4
  }
  return pages.map((page) => {
    const all = (page.blocks ?? []).flatMap((block) => withoutPageLine(block, page))
    const running = all.filter((block) => {
      const height = edgeHeight(block, page)
      return (
        height !== null && (repeats(block, height) || (all.length > 1 && (isOutermost(block, page) || hasPageNumber(block.text ?? ''))))
      )
    })
    return { page: page.pageNum, blocks: all.filter((block) => !running.includes(block)), running }
  })
}

function isOutermost({ bbox }: LayoutBlock, { height }: ParsedPage): boolean {
  return bbox !== undefined && (bbox.y + bbox.height < height * outermost || bbox.y > height * (1 - outermost))
}

/**
 * Returns whether a line is `17`, `– 17 –`, `Page 17 of 20`, `17 BRITISH HUSBANDRY` or `Chapter 3 | 17`: a number at one end of
 * a short line that is not a sentence.
 */
function hasPageNumber(line: string): boolean {
  const text = line.trim()
  if (/^\W*(?:page|seite|página|pagina)?\W*\d{1,4}(?:\s*(?:of|von|de|di|\/)\s*\d{1,4})?\W*$/i.test(text)) return true
  if (/^[ivxlc]{1,7}$/i.test(text)) return true
  return text.length < 80 && (/^\d{1,4}\s{0,3}[|•·–—-]?\s*\p{Lu}[\p{Lu}\s.,'’&[\]-]{5,}/u.test(text) || /\s[|•·–—]\s*\d{1,4}$/.test(text))
}

/** Removes the running line from the start of verbatim lines. */
function withoutPageLine(block: LayoutBlock, page: ParsedPage): LayoutBlock[] {
  const { lines, bbox } = block
  if (!lines || !bbox || bbox.y > page.height * edge) return [block]
  const first = lines.findIndex((line) => /[\p{L}\p{N}]/u.test(line))
  return first >= 0 && first < 3 && hasPageNumber(lines[first] ?? '') ? [{ ...block, lines: lines.slice(first + 1) }] : [block]
}

/** Returns the height of a single line at the edge of a page, to two points; odd and even pages may differ horizontally only. */
function edgeHeight(block: LayoutBlock, page: ParsedPage): string | null {
  const { bbox, text = '' } = block
  if (!bbox || (block.kind !== 'paragraph' && block.kind !== 'heading') || text.length > 120 || bbox.height > 24) return null
  const inEdge = bbox.y + bbox.height < page.height * edge || bbox.y > page.height * (1 - edge)
  return inEdge ? String(Math.round((bbox.y + bbox.height / 2) / 4)) : null
}

/** Returns the whole line and its first and last words: a header contains the chapter, its number, and then the section. */
function wordingsOf({ text = '' }: LayoutBlock): string[] {
  const words = text
    .toLowerCase()
    .replace(/[\d\p{P}\p{S}]+/gu, ' ')
    .trim()
    .split(/\s+/)
  const whole = words.join(' ')
  const numbered = /\d/.test(text) && words[0] ? [`${words[0]} #`] : []
  return words.length < 4
    ? [whole, ...numbered]
    : [whole, ...numbered, `${words.slice(0, 2).join(' ')} …`, `… ${words.slice(-2).join(' ')}`]
}
