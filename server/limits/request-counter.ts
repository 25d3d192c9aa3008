import { AppError } from '../lib/errors.ts'

/** Limits requests without authentication. */
export interface RequestCounter {
  /** @throws AppError `rate_limited` if `key` was counted more than `limit` times in this minute */
  readonly count: (key: string, limit: number) => void
}

const windowMs = 60_000
/** Maximum number of keys remembered. Beyond it all counts start again. */
const capacity = 100_000

/** Counts by minute, in the memory of this process. */
export function createRequestCounter(now: () => Date): RequestCounter {
  let startsAt = 0
  let counts = new Map<string, number>()
  return {
    count(key, limit) {
      const nowMs = now().getTime()
      const start = nowMs - (nowMs % windowMs)
      if (start !== startsAt || counts.size >= capacity) {
        startsAt = start
        counts = new Map()
      }
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count <= limit) return
      const retryAfterSeconds = Math.ceil((startsAt + windowMs - nowMs) / 1000)
      throw new AppError('rate_limited', 'Too many requests within a minute.', { retryAfterSeconds })
    },
  }
}
