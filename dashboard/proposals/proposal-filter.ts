import type { ProposalSort, ProposalStatus } from '@groundwork/api'
import { proposalStates } from '@groundwork/api/proposal-states'
import { oneOf, optionalAmount, optionalId, optionalSearch, optionalText, optionalTime } from '../lib/search-params.ts'

export const proposalSorts = [
  '-createdAt',
  'createdAt',
  '-sentAt',
  'sentAt',
  '-expiresAt',
  'expiresAt',
  '-totalAmount',
  'totalAmount',
] as const satisfies readonly ProposalSort[]

export const defaultSort: ProposalSort = '-createdAt'

/** The conditions and the order of the list of proposals. */
export interface ProposalFilter {
  status?: ProposalStatus | undefined
  q?: string | undefined
  sort?: ProposalSort | undefined
  contactId?: string | undefined
  minTotal?: string | undefined
  maxTotal?: string | undefined
  // Conditions without a filter on the page, from a view of the API.
  currency?: string | undefined
  createdAfter?: string | undefined
  createdBefore?: string | undefined
  sentAfter?: string | undefined
  sentBefore?: string | undefined
  completedAfter?: string | undefined
  completedBefore?: string | undefined
}

/** The search parameters of the page. With `view` alone, the list is that of the view; with `edited`, the other parameters replace it. */
export interface ProposalSearch extends ProposalFilter {
  view?: string | undefined
  edited?: boolean | undefined
}

export const proposalSearch = (search: Record<string, unknown>): ProposalSearch => ({
  view: optionalId(search['view'], 'plv'),
  edited: search['edited'] === true ? true : undefined,
  status: oneOf(proposalStates, search['status']),
  q: optionalSearch(search['q']),
  sort: oneOf(proposalSorts, search['sort']),
  contactId: optionalId(search['contactId'], 'ctc'),
  minTotal: optionalAmount(search['minTotal']),
  maxTotal: optionalAmount(search['maxTotal']),
  currency: optionalText(search['currency']),
  createdAfter: optionalTime(search['createdAfter']),
  createdBefore: optionalTime(search['createdBefore']),
  sentAfter: optionalTime(search['sentAfter']),
  sentBefore: optionalTime(search['sentBefore']),
  completedAfter: optionalTime(search['completedAfter']),
  completedBefore: optionalTime(search['completedBefore']),
})
