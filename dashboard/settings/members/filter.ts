import { oneOf, optionalSearch } from '../../lib/search-params.ts'

export const memberSorts = ['name', '-name', 'joined', '-joined'] as const

/** The search and the order of the list of members, as search parameters of the page. */
export interface MemberFilter {
  q?: string | undefined
  sort?: (typeof memberSorts)[number] | undefined
}

export const memberFilterOf = (search: Record<string, unknown>): MemberFilter => ({
  q: optionalSearch(search['q']),
  sort: oneOf(memberSorts, search['sort']),
})
