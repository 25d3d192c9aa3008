import type { PageMark } from './document.ts'
import type { Part } from './draft.ts'

/** Joins the parts of lists, and of paragraphs and tables that continue on the next page. Each part keeps its page. */
export function joinAcrossPages(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const whole = last && last.kind === part.kind ? continued(last, part) : null
    if (whole) joined[joined.length - 1] = whole
    else joined.push(part)
  }
  return joined
}

function continued(last: Part, part: Part): Part | null {
  if (part.kind === 'list') return withPages(last, part, `${last.text}\n`, part.text)
  if (part.page === last.page) return null
  if (part.kind === 'paragraph' && breaksOff(last.text, part.text)) {
    const isWord = /\p{L}-$/u.test(last.text)
    return withPages(last, part, isWord ? last.text.slice(0, -1) : `${last.text} `, part.text)
  }
  if (part.kind === 'table') {
    const rows = furtherRows(last.text, part.text)
    if (rows !== null) return withPages(last, part, `${last.text}\n`, rows)
  }
  return null
}

/** Returns whether a paragraph goes on: it ends inside a sentence, and the next begins in lower case. */
function breaksOff(text: string, next: string): boolean {
  return /^\p{Ll}/u.test(next) && /[\p{L},-]$/u.test(text)
}

/** Returns the rows of a table that repeats the header of the previous one; null if it is another table. */
function furtherRows(table: string, next: string): string | null {
  const [header, ruler] = table.split('\n', 2)
  const [repeated, nextRuler, ...rows] = next.split('\n')
  return header !== undefined && header === repeated && ruler === nextRuler && rows.length > 0 ? rows.join('\n') : null
}

function withPages(last: Part, part: Part, before: string, after: string): Part {
  const text = before + after
  if (last.page === undefined || part.page === undefined) return { ...last, text }
  const marks: PageMark[] = [...(last.pages ?? []), { start: before.length, page: part.page }]
  const previous = last.pages?.at(-1)?.page ?? last.page
  return { ...last, text, ...(part.page === previous ? last.pages && { pages: last.pages } : { pages: marks }) }
}
