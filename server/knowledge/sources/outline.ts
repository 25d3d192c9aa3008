import type { DocumentOutlineEntry } from '@groundwork/api'
import { headingTitle } from '../chunk/outline.ts'
import type { Block, ExtractedDocument, PageMark } from '../extract/document.ts'

const maxEntries = 2_000
const maxTitle = 200

/** Returns the headings, tables and page starts of a document in order, at most `maxEntries`. */
export function outlineOf({ text, blocks }: ExtractedDocument): DocumentOutlineEntry[] {
  const entries: DocumentOutlineEntry[] = []
  let last: number | null = null
  const enterPage = ({ page, start }: PageMark): void => {
    if (page === last) return
    last = page
    entries.push({ kind: 'page', title: null, level: null, rows: null, page, start })
  }
  for (const block of blocks) {
    if (block.page !== undefined) enterPage({ page: block.page, start: block.start })
    const at = { page: block.page ?? null, start: block.start }
    if (block.kind === 'heading')
      entries.push({ kind: 'heading', title: headingTitle(text, block), level: block.level ?? 1, rows: null, ...at })
    if (block.kind === 'table') entries.push({ kind: 'table', ...tableOf(text, block), level: null, ...at })
    block.pages?.forEach(enterPage)
    if (entries.length >= maxEntries) break
  }
  return entries.slice(0, maxEntries)
}

/** Returns the cells of the header as title, and the number of rows below it. */
function tableOf(text: string, { start, end }: Block): { title: string; rows: number } {
  const feed = text.indexOf('\n', start)
  const header = text.slice(start, feed === -1 || feed > end ? end : Math.min(feed, start + 2_000))
  const cells = header.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())
  const title = cells.filter(Boolean).join(', ')
  let lines = 0
  for (let at = feed; at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines++
  return { title: [...title].length <= maxTitle ? title : `${[...title].slice(0, maxTitle - 1).join('')}…`, rows: Math.max(0, lines - 1) }
}
