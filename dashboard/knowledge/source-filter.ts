import { oneOf, optionalId, optionalSearch } from '../lib/search-params.ts'
import { sourceSorts, type SourceSort } from '@groundwork/api/source-types'
import type { Source } from './records.ts'

export const sourceStatuses = ['completed', 'processing', 'failed'] as const satisfies readonly Source['status'][]
export const sourceTypes = ['file', 'url', 'scrape', 'youtube'] as const satisfies readonly Source['type'][]

export const defaultSourceSort: SourceSort = '-createdAt'

/** The filters and the order of the list of sources. */
export interface SourceFilter {
  sort?: SourceSort | undefined
  q?: string | undefined
  status?: Source['status'] | undefined
  type?: Source['type'] | undefined
}

/** The search parameters of the page. With `view` alone, the list is that of the view; with `edited`, the other parameters replace it. */
export interface SourceSearch extends SourceFilter {
  view?: string | undefined
  edited?: boolean | undefined
}

export const sourceSearchOf = (search: Record<string, unknown>): SourceSearch => ({
  view: optionalId(search['view'], 'srv'),
  edited: search['edited'] === true ? true : undefined,
  q: optionalSearch(search['q']),
  status: oneOf(sourceStatuses, search['status']),
  type: oneOf(sourceTypes, search['type']),
  sort: oneOf(sourceSorts, search['sort']),
})
