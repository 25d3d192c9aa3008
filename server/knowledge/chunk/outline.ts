import type { Block, ExtractedDocument } from '../extract/document.ts'

/** What stands under one heading, up to the next heading of any level. The text before the first heading is one too. */
export interface Section {
  /** Titles of the headings above, outermost first, its own last. */
  readonly path: readonly string[]
  /** How many of the headings above it also stand above the section before. */
  readonly shared: number
}

const LONGEST_TITLE = 200

/** The section of each block of a document, in the order of `document.blocks`. A heading belongs to the section that it begins. */
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

/** A heading as a title: one line, without Markdown's marks, cut short where a whole page was marked as a heading. */
export function headingTitle(text: string, { start, end }: Pick<Block, 'start' | 'end'>): string {
  const line = text
    .slice(start, Math.min(end, start + LONGEST_TITLE * 4))
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
