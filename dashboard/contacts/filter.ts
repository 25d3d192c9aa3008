import { optionalDay, optionalText, optionalTexts } from '../lib/search-params.ts'

/** What the address says of the list. Days are those of the reader's calendar, both included. */
export interface ContactFilter {
  q?: string | undefined
  tag?: string[] | undefined
  from?: string | undefined
  until?: string | undefined
}

export const contactFilter = (search: Record<string, unknown>): ContactFilter => ({
  q: optionalText(search['q']),
  tag: optionalTexts(search['tag']),
  from: optionalDay(search['from']),
  until: optionalDay(search['until']),
})

export const isFiltered = (filter: ContactFilter): boolean => Object.values(filter).some((value) => value !== undefined)

/** The same as the API takes it. */
export const toQuery = ({ q, tag, from, until }: ContactFilter) => ({
  ...(q !== undefined && { q }),
  ...(tag !== undefined && { tag }),
  ...(from !== undefined && { createdAfter: startOf(from, 0) }),
  ...(until !== undefined && { createdBefore: startOf(until, 1) }),
})

/** When the day begins where the reader is, or the one `later` days after it. */
function startOf(day: string, later: number): string {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + later)
  return start.toISOString()
}
