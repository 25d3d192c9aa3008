interface CacheEntry<T> {
  readonly value: Promise<T>
  /** Expiry by `performance.now()`; infinite while the value is being computed. */
  until: number
}

/**
 * Caches a large value for `rest` times as long as its computation took, so that frequent callers cause at most that share of
 * load. Other values are not cached. Concurrent callers share one computation.
 * @returns a function of the owner of the cache, a key and the computation
 */
export function adaptiveCache<T>({ isLarge, rest }: { isLarge: (value: T) => boolean; rest: number }) {
  const caches = new WeakMap<object, Map<string, CacheEntry<T>>>()

  function begin(entries: Map<string, CacheEntry<T>>, key: string, compute: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    for (const [other, { until }] of entries) if (until <= startedAt) entries.delete(other)
    const entry: CacheEntry<T> = { value: timed(), until: Infinity }
    entries.set(key, entry)
    return entry.value

    async function timed(): Promise<T> {
      try {
        const value = await compute()
        const now = performance.now()
        entry.until = isLarge(value) ? now + rest * (now - startedAt) : 0
        return value
      } catch (error) {
        entry.until = 0
        throw error
      }
    }
  }

  return (owner: object, key: string, compute: () => Promise<T>): Promise<T> => {
    const entries = caches.get(owner) ?? new Map<string, CacheEntry<T>>()
    caches.set(owner, entries)
    const entry = entries.get(key)
    return entry !== undefined && performance.now() < entry.until ? entry.value : begin(entries, key, compute)
  }
}
