import { AppError } from '../lib/errors.ts'
import { createMinuteWindow } from './minute-window.ts'

/** Limits requests without authentication. */
export interface RequestCounter {
  /** @throws AppError `rate_limited` if `key` was counted more than `limit` times in this minute */
  readonly count: (key: string, limit: number) => void
}

/** Maximum number of keys remembered. Beyond it all counts start again. */
const capacity = 100_000

/** Counts by minute, in the memory of this process. */
export function createRequestCounter(now: () => Date): RequestCounter {
  const window = createMinuteWindow(now, capacity)
  return {
    count(key, limit) {
      const counts = window.current()
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count <= limit) return
      throw new AppError('rate_limited', 'Too many requests within a minute.', { retryAfterSeconds: window.secondsLeft() })
    },
  }
}
