import { oneOf, optionalDay, optionalSearch } from '../lib/search-params.ts'

export const searchLogSorts = ['times', '-times', 'score', '-score', 'last', '-last'] as const

/** The filters of the logged searches, as search parameters of the page. Days are inclusive and in the browser’s time zone. */
export interface SearchLogFilter {
  show?: 'all' | undefined
  q?: string | undefined
  from?: string | undefined
  until?: string | undefined
  /** The order of unanswered questions. */
  sort?: (typeof searchLogSorts)[number] | undefined
}

export const searchLogFilterOf = (search: Record<string, unknown>): SearchLogFilter => ({
  show: oneOf(['all'], search['show']),
  q: optionalSearch(search['q']),
  from: optionalDay(search['from']),
  until: optionalDay(search['until']),
  sort: oneOf(searchLogSorts, search['sort']),
})
