import { optionalDay, optionalText, optionalTexts } from '../lib/search-params.ts'

/** The filter in the URL. Days are inclusive and in the browser’s time zone. */
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

/** Converts the filter to query parameters of the API. */
export const toQuery = ({ q, tag, from, until }: ContactFilter) => ({
  ...(q !== undefined && { q }),
  ...(tag !== undefined && { tag }),
  ...(from !== undefined && { createdAfter: startOf(from, 0) }),
  ...(until !== undefined && { createdBefore: startOf(until, 1) }),
})

/** Returns midnight in the browser’s time zone, `daysLater` days after `day`. */
function startOf(day: string, daysLater: number): string {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + daysLater)
  return start.toISOString()
}
