import { oneOf, optionalSearch } from '../lib/search-params.ts'
import { sourceSorts, type SourceSort } from '@groundwork/api/source-types'
import type { Source } from './records.ts'

export const sourceStatuses = ['completed', 'processing', 'failed'] as const satisfies readonly Source['status'][]
export const sourceTypes = ['file', 'url', 'scrape', 'youtube'] as const satisfies readonly Source['type'][]

export const defaultSourceSort: SourceSort = '-createdAt'

/** The filters and the order of the list of sources, as search parameters of the page. */
export interface SourceFilter {
  sort?: SourceSort | undefined
  q?: string | undefined
  status?: Source['status'] | undefined
  type?: Source['type'] | undefined
}

export const sourceFilterOf = (search: Record<string, unknown>): SourceFilter => ({
  q: optionalSearch(search['q']),
  status: oneOf(sourceStatuses, search['status']),
  type: oneOf(sourceTypes, search['type']),
  sort: oneOf(sourceSorts, search['sort']),
})
