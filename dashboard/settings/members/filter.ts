import { oneOf, optionalSearch } from '../../lib/search-params.ts'
import { roles, type Role } from './roles.ts'

export const memberSorts = ['name', '-name', 'joined', '-joined'] as const

/** The filters and the order of the list of members, as search parameters of the page. */
export interface MemberFilter {
  q?: string | undefined
  role?: Role | undefined
  sort?: (typeof memberSorts)[number] | undefined
}

export const memberFilterOf = (search: Record<string, unknown>): MemberFilter => ({
  q: optionalSearch(search['q']),
  role: oneOf(roles, search['role']),
  sort: oneOf(memberSorts, search['sort']),
})
