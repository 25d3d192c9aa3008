import { oneOf, optionalId, optionalSearch } from '../../lib/search-params.ts'

export const tokenStates = ['active', 'expiring', 'expired', 'revoked'] as const
export type TokenState = (typeof tokenStates)[number]

export const tokenSorts = ['name', '-name', 'lastUsed', '-lastUsed', 'expires', '-expires'] as const

/** The filters of the list of tokens, as search parameters of the page. */
export interface TokenFilter {
  q?: string | undefined
  state?: TokenState | undefined
  createdBy?: string | undefined
  sort?: (typeof tokenSorts)[number] | undefined
}

export const tokenFilterOf = (search: Record<string, unknown>): TokenFilter => ({
  q: optionalSearch(search['q']),
  state: oneOf(tokenStates, search['state']),
  createdBy: optionalId(search['createdBy']),
  sort: oneOf(tokenSorts, search['sort']),
})
