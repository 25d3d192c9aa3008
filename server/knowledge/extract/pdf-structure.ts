import type { Part } from './draft.ts'
import { bookmarkHeadings, nameChaptersOnly, sectionBookmarks } from './pdf-bookmarks.ts'
import { headingsByFont } from './pdf-heading-fonts.ts'
import { flowOf, type FlowLine, type Heading } from './pdf-headings.ts'
import type { PageLayout } from './pdf-layout-types.ts'
import type { PdfOutline } from './pdf-outline.ts'
import { joinAcrossPages } from './pdf-page-breaks.ts'
import { partsOf } from './pdf-parts.ts'
import { titleOf } from './pdf-title.ts'

/**
 * Returns the title and the parts of a PDF. Headings are those of the bookmarks; without bookmarks, and below bookmarks that
 * name chapters only, they are found by font, position and length.
 */
export function structured(pages: readonly PageLayout[], outline: PdfOutline, pageCount: number): { title: string | null; parts: Part[] } {
  const flow = flowOf(pages)
  const headings = headingsOf(pages, flow, outline, pageCount)
  return { title: titleOf(outline.title, flow), parts: joinAcrossPages(partsOf(pages, flow, headings)) }
}

function headingsOf(pages: readonly PageLayout[], flow: readonly FlowLine[], outline: PdfOutline, pageCount: number): Heading[] {
  const bookmarks = sectionBookmarks(outline.bookmarks)
  if (bookmarks.length === 0) return headingsByFont(flow)
  const known = bookmarkHeadings(pages, flow, bookmarks)
  return nameChaptersOnly(bookmarks, pageCount) ? withSections(known, headingsByFont(flow)) : known
}

/** Adds the headings between bookmarks, below the level of the bookmark before them. */
function withSections(known: readonly Heading[], found: readonly Heading[]): Heading[] {
  const free = found.filter(({ from, to }) => known.every((one) => to <= one.from || from >= Math.max(one.to, one.from + 1)))
  const highest = Math.min(...free.map(({ level }) => level))
  const below = Math.max(...known.map(({ level }) => level))
  const added = free.map((heading) => ({ ...heading, level: Math.min(6, below + 1 + heading.level - highest) }))
  return [...known, ...added].toSorted((a, b) => a.from - b.from)
}
