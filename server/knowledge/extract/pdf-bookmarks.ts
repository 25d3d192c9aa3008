import { bodySize, headingKey, headingText, withLabels, type FlowLine, type Heading } from './pdf-headings.ts'
import type { PageLayout } from './pdf-layout-types.ts'
import type { Bookmark } from './pdf-outline.ts'

/** Names of pages, files and marks, which programs write as bookmarks. */
const noHeading =
  /^(?:(?:page|seite|p[aá]gina|slide|folie|diapositive?|diapositiva|sheet|scan|image|p\.)\s*[\divxlc]+|blank page|untitled|cover|title page|front cover|back cover|_\w+|ole_link\d+|[^\s/\\]+\.(?:pdf|docx?|indd|tex|html?|pptx?|xlsx?|jpe?g|png|tiff?))$/i

/** Returns the bookmarks that name parts of the document. Levels begin at 1 and increase by one. */
export function sectionBookmarks(bookmarks: readonly Bookmark[]): Bookmark[] {
  const above: number[] = []
  const sections = bookmarks
    .filter(({ title }) => /\p{L}/u.test(title) && !noHeading.test(title))
    .map((bookmark) => {
      while ((above.at(-1) ?? 0) >= bookmark.level) above.pop()
      above.push(bookmark.level)
      return { ...bookmark, level: above.length }
    })
  return sections.length >= 2 ? sections : []
}

/** Bookmarks that are fewer than one for this many pages name chapters only; headings below them are found by their fonts. */
const pagesOfChapters = 12

export function nameChaptersOnly(bookmarks: readonly Bookmark[], pages: number): boolean {
  return bookmarks.length * pagesOfChapters < pages
}

interface Found {
  readonly from: number
  readonly to: number
}

/** Consecutive lines, compared by their key. */
interface Span extends Found {
  readonly key: string
}

/**
 * Returns a heading for each bookmark: the lines of the page that have its title, or a heading without lines at the destination if
 * no line has it.
 */
export function bookmarkHeadings(pages: readonly PageLayout[], flow: readonly FlowLine[], bookmarks: readonly Bookmark[]): Heading[] {
  const body = bodySize(flow)
  const heights = new Map(pages.map(({ page, height }) => [page, height]))
  const ranges = rangesOf(flow)
  const lineAt = (page: number, y: number | null): number => {
    const { from, to } = ranges.get(page) ?? nextRange(ranges, page, flow.length)
    if (y === null || !ranges.has(page)) return from
    const top = (heights.get(page) ?? 0) - y
    for (let at = from; at < to; at++) if ((flow[at]?.line.top ?? 0) >= top - 8) return at
    return to
  }
  let previous: Heading = { from: 0, to: 0, level: 1 }
  const taken = new Set<number>()
  const pageSpans = new Map<number, readonly Span[]>()
  const headings: Heading[] = []
  bookmarks.forEach((bookmark, order) => {
    const { title, level } = bookmark
    const { page, y } = bookmark.page === null ? firstBelow(bookmarks, order) : bookmark
    if (page === null) return
    const found = lineOf(title, page, y === null ? null : (heights.get(page) ?? 0) - y)
    if (found) {
      const from = withLabels(flow, found.from, body)
      previous = { from: from >= previous.to ? from : found.from, to: found.to, level, title }
      for (let at = previous.from; at < previous.to; at++) taken.add(at)
    } else {
      const at = Math.max(lineAt(page, y), previous.to)
      previous = { from: at, to: at, level, title, page }
    }
    headings.push(previous)
  })
  return ordered(headings)

  function spansOn(page: number, range: Found): readonly Span[] {
    const known = pageSpans.get(page) ?? spansOf(flow, range)
    pageSpans.set(page, known)
    return known
  }

  function lineOf(title: string, page: number, top: number | null): Found | null {
    const wanted = headingKey(title)
    for (const near of [page, page + 1, page - 1]) {
      const range = ranges.get(near)
      if (!range) continue
      const spans = spansOn(near, range).filter(({ from, to }) => !taken.has(from) && !taken.has(to - 1))
      const distance = (span: Found): number => Math.abs((flow[span.from]?.line.top ?? 0) - (near === page ? (top ?? 0) : 0))
      const exact = spans.filter(({ key }) => isTitled(key, wanted))
      const best = exact.toSorted((a, b) => prominence(b) - prominence(a) || distance(a) - distance(b))[0]
      if (best) return best
      if (near !== page) continue
      const close = spans.filter((span) => (top === null ? span.from < range.from + 4 : distance(span) < 48))
      const alike = close.filter(({ key }) => resembles(key, wanted)).toSorted((a, b) => distance(a) - distance(b))[0]
      if (alike) return alike
    }
    return null
  }

  /** A line in a heading's style is preferred to the same words in the text. */
  function prominence({ from }: Found): number {
    const line = flow[from]?.line
    return line && (line.bold || line.fontSize > 1.1 * body) ? 1 : 0
  }
}

/** Returns the destination of the first bookmark below another one. */
function firstBelow(bookmarks: readonly Bookmark[], order: number): Pick<Bookmark, 'page' | 'y'> {
  const level = bookmarks[order]?.level ?? 1
  const next = bookmarks[order + 1]
  if (!next || next.level <= level) return { page: null, y: null }
  return next.page === null ? firstBelow(bookmarks, order + 1) : next
}

/** Returns the lines of each page in the flow. */
function rangesOf(flow: readonly FlowLine[]): Map<number, Found> {
  const ranges = new Map<number, Found>()
  flow.forEach(({ block: { page } }, at) => ranges.set(page, { from: ranges.get(page)?.from ?? at, to: at + 1 }))
  return ranges
}

function nextRange(ranges: ReadonlyMap<number, Found>, page: number, end: number): Found {
  const next = [...ranges].filter(([one]) => one > page).toSorted((a, b) => a[0] - b[0])[0]?.[1]
  return next ?? { from: end, to: end }
}

const maxLines = 4

/** Returns one to four consecutive lines from each line of a page. Lines of tables are no headings. */
function spansOf(flow: readonly FlowLine[], { from, to }: Found): Span[] {
  const spans: Span[] = []
  for (let first = from; first < to; first++)
    for (let end = first + 1; end <= Math.min(to, first + maxLines); end++) {
      if (flow[end - 1]?.block.kind === 'table') break
      spans.push({ from: first, to: end, key: headingKey(headingText(flow, { from: first, to: end })) })
    }
  return spans
}

const number =
  /^(?:(?:chapter|part|appendix|annex|section|kapitel|teil|anhang|chapitre|глава|часть|приложение)?(?:(?:\d+|[ivxlc]+|[a-zа-я](?=\d|$))\d*)?|第?[\d一二三四五六七八九十百]+[章部節节編编]?)$/u

/** Returns whether a line has a title, both as keys: the same letters, with or without a number before either. */
export function isTitled(shown: string, wanted: string): boolean {
  if (shown === wanted) return wanted !== ''
  const [longer, shorter] = shown.length > wanted.length ? [shown, wanted] : [wanted, shown]
  return shorter.length >= 2 && longer.endsWith(shorter) && number.test(longer.slice(0, -shorter.length))
}

/** Returns whether a line is a shorter or slightly different form of a title, both as keys, or the reverse. */
export function resembles(shown: string, wanted: string): boolean {
  const [longer, shorter] = shown.length > wanted.length ? [shown, wanted] : [wanted, shown]
  if (shorter.length < 4 || shorter.length < 0.6 * longer.length) return false
  return longer.includes(shorter) || similarity(shown, wanted) >= 0.8
}

/** Returns the Dice coefficient of the letter pairs of two texts, 0 to 1. */
function similarity(one: string, other: string): number {
  const pairs = new Map<string, number>()
  for (let at = 0; at + 1 < one.length; at++) pairs.set(one.slice(at, at + 2), (pairs.get(one.slice(at, at + 2)) ?? 0) + 1)
  let shared = 0
  for (let at = 0; at + 1 < other.length; at++) {
    const pair = other.slice(at, at + 2)
    const left = pairs.get(pair) ?? 0
    if (left > 0) shared++
    pairs.set(pair, left - 1)
  }
  return (2 * shared) / Math.max(1, one.length + other.length - 2)
}

/** Returns headings in the order of the flow, without those whose lines another one has taken. */
function ordered(headings: readonly Heading[]): Heading[] {
  const sorted = headings.toSorted((a, b) => a.from - b.from)
  return sorted.filter((heading, at) =>
    sorted.slice(Math.max(0, at - 3), at).every((before) => heading.to === heading.from || heading.from >= before.to),
  )
}
