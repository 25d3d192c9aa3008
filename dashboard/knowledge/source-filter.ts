import { oneOf, optionalSearch } from '../lib/search-params.ts'
import type { Source } from './records.ts'

export const sourceStatuses = ['completed', 'processing', 'failed'] as const satisfies readonly Source['status'][]
export const sourceTypes = ['file', 'url', 'scrape', 'youtube'] as const satisfies readonly Source['type'][]

/** The filters of the list of sources, as search parameters of the page. */
export interface SourceFilter {
  q?: string | undefined
  status?: Source['status'] | undefined
  type?: Source['type'] | undefined
}

export const sourceFilterOf = (search: Record<string, unknown>): SourceFilter => ({
  q: optionalSearch(search['q']),
  status: oneOf(sourceStatuses, search['status']),
  type: oneOf(sourceTypes, search['type']),
})
