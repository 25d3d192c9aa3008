/** Runs functions with a bounded concurrency. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Returns a semaphore: at most `limit` functions run at a time, the others start in the order of the calls. */
export function createSemaphore(limit: number): Semaphore {
  const waiting: (() => void)[] = []
  let free = limit
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((admitted) => waiting.push(admitted))
    try {
      return await work()
    } finally {
      // Passes the slot to the next function.
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
