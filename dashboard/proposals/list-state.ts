import type { ProposalListView } from '@groundwork/api'
import { currencyCodes } from '@groundwork/api/currencies'
import { oneOf } from '../lib/search-params.ts'
import { defaultSort, proposalSearch, type ProposalFilter, type ProposalSearch } from './proposal-filter.ts'

/** Returns the list that the search parameters mean. A view that is not loaded, or does not exist, counts as all proposals. */
export function listOf(search: ProposalSearch, views: readonly ProposalListView[]): ProposalFilter {
  // The router adds parameters of the URL that the page does not know, and the API refuses them.
  const { view, edited, ...filter } = proposalSearch({ ...search })
  const saved = edited === true ? undefined : views.find(({ id }) => id === view)
  return saved === undefined ? known(filter) : listOfView(saved)
}

export const listOfView = ({ filter, q, sort }: ProposalListView): ProposalFilter => known({ ...filter, ...(q !== null && { q }), sort })

/** What the page shows, as fields of a view. */
export function viewOf({ q, sort, ...conditions }: ProposalFilter) {
  const filter = Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined)) as typeof conditions
  return { filter: Object.keys(filter).length === 0 ? null : filter, q: q ?? null, sort: sort ?? defaultSort }
}

/** Returns whether two lists have the same proposals in the same order. */
export const isSameList = (one: ProposalFilter, other: ProposalFilter): boolean => canonical(one) === canonical(other)

const canonical = (list: ProposalFilter): string => {
  const { filter, q, sort } = viewOf(list)
  const conditions = Object.entries(filter ?? {}).toSorted(([a], [b]) => a.localeCompare(b))
  return JSON.stringify([conditions, q, sort])
}

export const isFiltered = (filter: ProposalFilter): boolean =>
  Object.entries(filter).some(([key, value]) => key !== 'sort' && value !== undefined)

/** Conditions without a filter on the page. */
const others = ['currency', 'createdAfter', 'createdBefore', 'sentAfter', 'sentBefore', 'completedAfter', 'completedBefore'] as const

export const countOthers = (filter: ProposalFilter): number => others.filter((key) => filter[key] !== undefined).length

export const withoutOthers = (filter: ProposalFilter): ProposalFilter => ({
  ...filter,
  ...Object.fromEntries(others.map((key) => [key, undefined])),
})

/** Leaves out the default order, so that the URL stays short, and currencies that do not exist, which the API refuses. */
const known = ({ sort, currency, ...rest }: ProposalFilter): ProposalFilter => ({
  ...rest,
  currency: oneOf(currencyCodes, currency),
  ...(sort !== defaultSort && { sort }),
})
