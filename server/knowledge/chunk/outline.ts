import type { Block, ExtractedDocument } from '../extract/document.ts'

/** The content under one heading, up to the next heading of any level, or the text before the first heading. */
export interface Section {
  /** Titles of its headings, outermost first, its own last. */
  readonly path: readonly string[]
  /** Number of headings that it shares with the previous section. */
  readonly shared: number
}

const LONGEST_TITLE = 200

/** Returns the section of each block, in the order of `document.blocks`. A heading belongs to the section that it begins. */
export function outline(document: ExtractedDocument): Section[] {
  const above: { level: number; title: string }[] = []
  let section: Section = { path: [], shared: 0 }
  return document.blocks.map((block) => {
    if (block.kind !== 'heading') return section
    const level = block.level ?? 1
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= level) above.pop()
    const shared = above.length
    above.push({ level, title: headingTitle(document.text, block) })
    section = { path: above.map(({ title }) => title), shared }
    return section
  })
}

/** Returns the title of a heading, from the document's outline if it has one: one line without Markdown syntax, truncated if a whole page is marked as a heading. */
export function headingTitle(text: string, { start, end, title }: Pick<Block, 'start' | 'end' | 'title'>): string {
  const line = (title ?? text.slice(start, Math.min(end, start + LONGEST_TITLE * 4)))
    .replace(/^\s*#{1,6}\s+|\s+#*\s*$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= LONGEST_TITLE
    ? line
    : `${characters
        .slice(0, LONGEST_TITLE - 1)
        .join('')
        .trimEnd()}…`
}
