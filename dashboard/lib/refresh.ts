import { partialMatchKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** Changes within this time are handled together, for example during an import. */
const batchMs = 200
/** Minimum time between two refreshes. */
const minRefreshMs = 1_000
/** The next refresh waits this long for each request of the last one, so that long lists are refreshed less often. */
const pauseForRequestMs = 500

const pendingKeys = new Map<string, QueryKey>()
let nextRefreshAt = 0

/** Makes queries stale, and refetches those that the page shows. During many changes, it sends at most 2 requests a second on average. */
export function refreshSoon(queries: QueryClient, keys: readonly QueryKey[]): void {
  const isScheduled = pendingKeys.size > 0
  for (const key of keys) pendingKeys.set(JSON.stringify(key), key)
  if (isScheduled || keys.length === 0) return
  setTimeout(() => refresh(queries), Math.max(batchMs, nextRefreshAt - Date.now()))
}

function refresh(queries: QueryClient): void {
  const keys = [...pendingKeys.values()]
  pendingKeys.clear()
  // Keys overlap, and a query that two of them match is fetched once.
  const predicate = ({ queryKey }: Query): boolean => keys.some((key) => partialMatchKey(queryKey, key))
  const shown = queries.getQueryCache().findAll({ predicate, type: 'active' })
  const requests = shown.reduce((sum, { state: { data } }) => sum + requestsFor(data), 0)
  nextRefreshAt = Date.now() + Math.max(minRefreshMs, requests * pauseForRequestMs)
  void queries.invalidateQueries({ predicate })
}

/** A list is fetched with a request for each of its loaded pages. */
const requestsFor = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages) ? data.pages.length : 1
