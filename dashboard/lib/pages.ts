import type { Page } from '@groundwork/sdk'
import { infiniteQueryOptions, type InfiniteData, type QueryKey } from '@tanstack/react-query'

/**
 * Options of `useInfiniteQuery` for a paginated list: `pagesOf([organization.id, 'contacts', filter], (page) => client.contacts.list({ ...filter, ...page.query },
 * { signal: page.signal }).page())`.
 */
export const pagesOf = <T>(
  queryKey: QueryKey,
  fetchPage: (page: { query: { cursor?: string }; signal: AbortSignal }) => Promise<Page<T>>,
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => fetchPage({ query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    getNextPageParam: (page: Page<T>) => page.nextCursor,
  })

/** Returns the rows of all loaded pages. */
export const rowsOf = <T>(data: InfiniteData<Page<T>>): T[] => data.pages.flatMap((page) => page.data)
