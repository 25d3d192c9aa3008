/**
 * Returns a function whose calls share the next run of `fn`: a run that has begun may have read an earlier state. Calls at the same
 * moment share the first run too.
 */
export function coalesced<T>(fn: () => Promise<T>): () => Promise<T> {
  const share = coalescedByKey<T>(Promise.resolve())
  return () => share('', fn)
}

interface Runs<T> {
  /** Begins when `running` has ended. */
  next: Promise<T> | undefined
  running: Promise<void> | undefined
}

/**
 * Like `coalesced`, for the calls with the same key. The next run is that of the first call that waits for it.
 * @param before the first run of a key begins after it; without it, at once
 */
export function coalescedByKey<T>(before?: Promise<void>): (key: string, fn: () => Promise<T>) => Promise<T> {
  const byKey = new Map<string, Runs<T>>()
  return (key, fn) => {
    const runs = byKey.get(key) ?? { next: undefined, running: before }
    byKey.set(key, runs)
    const end = (): void => {
      if (runs.next === undefined) byKey.delete(key)
    }
    const start = (): Promise<T> => {
      runs.next = undefined
      const run = fn()
      runs.running = run.then(end, end)
      return run
    }
    if (runs.running === undefined) return start()
    runs.next ??= runs.running.then(start)
    return runs.next
  }
}
