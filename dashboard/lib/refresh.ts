import { partialMatchKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** Changes within this time, as during an import, are handled together. */
const batchMs = 200
/** Lists are refreshed at most this often. */
const minRefreshMs = 1_000
/** The average time between two requests of a refresh, so that long lists are refreshed less often. */
const requestMs = 500

const waiting = new Map<string, QueryKey>()
let nextAt = 0

/** Makes queries stale, and refetches those that the page shows. While changes come in bulk, with at most 2 requests a second. */
export function refreshSoon(queries: QueryClient, keys: readonly QueryKey[]): void {
  const isScheduled = waiting.size > 0
  for (const key of keys) waiting.set(JSON.stringify(key), key)
  if (isScheduled || keys.length === 0) return
  setTimeout(() => refresh(queries), Math.max(batchMs, nextAt - Date.now()))
}

function refresh(queries: QueryClient): void {
  const keys = [...waiting.values()]
  waiting.clear()
  // Keys overlap, and a query that two of them match is fetched once.
  const predicate = ({ queryKey }: Query): boolean => keys.some((key) => partialMatchKey(queryKey, key))
  const shown = queries.getQueryCache().findAll({ predicate, type: 'active' })
  const requests = shown.reduce((sum, { state: { data } }) => sum + requestsFor(data), 0)
  nextAt = Date.now() + Math.max(minRefreshMs, requests * requestMs)
  void queries.invalidateQueries({ predicate })
}

/** A list is fetched with a request for each of its loaded pages. */
const requestsFor = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages) ? data.pages.length : 1
