import type { SourceView } from '@groundwork/api'
import { defaultSourceSort, sourceSearchOf, type SourceFilter, type SourceSearch } from './source-filter.ts'

/** Returns the list that the search parameters mean. A view that is not loaded, or does not exist, counts as all sources. */
export function listOf(search: SourceSearch, views: readonly SourceView[]): SourceFilter {
  // The router adds parameters of the URL that the page does not know, and the API refuses them.
  const { view, edited, ...filter } = sourceSearchOf({ ...search })
  const saved = edited === true ? undefined : views.find(({ id }) => id === view)
  return saved === undefined ? withoutDefault(filter) : listOfView(saved)
}

export const listOfView = ({ filter, q, sort }: SourceView): SourceFilter => withoutDefault({ ...filter, ...(q !== null && { q }), sort })

/** What the page shows, as fields of a view. */
export function viewOf({ q, sort = defaultSourceSort, status, type }: SourceFilter) {
  const filter = { ...(status !== undefined && { status }), ...(type !== undefined && { type }) }
  return { filter: Object.keys(filter).length === 0 ? null : filter, q: q ?? null, sort }
}

/** Returns whether two lists have the same sources in the same order. */
export const isSameList = (one: SourceFilter, other: SourceFilter): boolean => JSON.stringify(viewOf(one)) === JSON.stringify(viewOf(other))

export const isFiltered = ({ q, status, type }: SourceFilter): boolean => [q, status, type].some((value) => value !== undefined)

/** Leaves out the default order, so that the URL stays short. */
const withoutDefault = ({ sort, ...rest }: SourceFilter): SourceFilter => ({ ...rest, ...(sort !== defaultSourceSort && { sort }) })
