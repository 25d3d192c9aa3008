import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { refreshSoon } from './refresh.ts'

/** Shows queries, and returns the times of their requests. */
function shown(queries: QueryClient, data: Readonly<Record<string, unknown>>): number[] {
  const requests: number[] = []
  for (const [name, value] of Object.entries(data)) {
    queries.setQueryData(['organization', name], value)
    new QueryObserver(queries, {
      queryKey: ['organization', name],
      queryFn: () => {
        requests.push(Date.now())
        return value
      },
      staleTime: Infinity,
    }).subscribe(() => undefined)
  }
  return requests
}

test.each([
  ['a list and its record', { list: { pages: ['one'] }, record: 1 }, 2],
  ['a list of six pages, once in three seconds', { list: { pages: [1, 2, 3, 4, 5, 6] } }, 1 / 3],
])('changes in bulk refresh %s', async (_what, data, perSecond) => {
  vi.useFakeTimers()
  try {
    const queries = new QueryClient()
    const requests = shown(queries, data)
    await vi.advanceTimersByTimeAsync(10_000)
    const seconds = 30
    for (let change = 0; change < 10 * seconds; change += 1) {
      refreshSoon(
        queries,
        Object.keys(data).flatMap((name) => [['organization'], ['organization', name]]),
      )
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(requests.length).toBeLessThanOrEqual(perSecond * seconds + 2)
    const before = requests.length
    refreshSoon(queries, [['organization', 'list']])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(requests.length).toBeGreaterThan(before)
    queries.clear()
  } finally {
    vi.useRealTimers()
  }
})
