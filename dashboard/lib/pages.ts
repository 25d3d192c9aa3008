import type { Page } from '@groundwork/sdk'
import { infiniteQueryOptions, type InfiniteData, type QueryKey } from '@tanstack/react-query'

/**
 * A list that is read page by page: `pagesOf([organization.id, 'contacts', filter], (page) => client.contacts.list({ ...filter, ...page.query },
 * { signal: page.signal }).page())`, for `useInfiniteQuery`.
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

/** The rows of all pages that were read. */
export const rowsOf = <T>(data: InfiniteData<Page<T>>): T[] => data.pages.flatMap((page) => page.data)
