import type { RetrievalSort } from '@groundwork/api'
import { oneOf, optionalDay, optionalSearch } from '../lib/search-params.ts'

/** The orders of unanswered questions. */
export const unansweredSorts = ['times', '-times', 'score', '-score', 'last', '-last'] as const

/** The orders of all searches. */
export const retrievalSorts = [
  '-createdAt',
  'createdAt',
  '-bestScore',
  'bestScore',
  '-totalMs',
  'totalMs',
] as const satisfies readonly RetrievalSort[]

export const defaultRetrievalSort: RetrievalSort = '-createdAt'

const searchLogSorts = [...unansweredSorts, ...retrievalSorts] as const

/** The filters of the logged searches, as search parameters of the page. Days are inclusive and in the browser’s time zone. */
export interface SearchLogFilter {
  show?: 'all' | undefined
  q?: string | undefined
  from?: string | undefined
  until?: string | undefined
  /** The order of the list that is shown. */
  sort?: (typeof searchLogSorts)[number] | undefined
}

export const searchLogFilterOf = (search: Record<string, unknown>): SearchLogFilter => ({
  show: oneOf(['all'], search['show']),
  q: optionalSearch(search['q']),
  from: optionalDay(search['from']),
  until: optionalDay(search['until']),
  sort: oneOf(searchLogSorts, search['sort']),
})
