import { queryOptions, type QueryKey } from '@tanstack/react-query'

interface ListOptions {
  signal: AbortSignal
}

/** The views of a list that the user sees, by name. @param list a list of the SDK, over all pages */
export const savedViewsQuery = <View extends { name: string }>(
  queryKey: QueryKey,
  list: (query: { limit: number }, options: ListOptions) => AsyncIterable<View>,
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const views: View[] = []
      for await (const view of list({ limit: 100 }, { signal })) views.push(view)
      return views.toSorted((one, other) => one.name.localeCompare(other.name))
    },
  })
