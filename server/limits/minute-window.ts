const windowMs = 60_000

/** Numbers by key that start again each minute. */
export interface MinuteWindow {
  /** Returns the numbers of the present minute. */
  readonly current: () => Map<string, number>
  /** Returns the whole seconds until the next minute starts, at least 1 after `current` in the same minute. */
  readonly secondsLeft: () => number
}

/** Counts in the memory of this process. @param capacity the number of keys beyond which all counts start again */
export function createMinuteWindow(now: () => Date, capacity: number): MinuteWindow {
  let startsAt = 0
  let counts = new Map<string, number>()
  return {
    current() {
      const nowMs = now().getTime()
      const start = nowMs - (nowMs % windowMs)
      if (start !== startsAt || counts.size >= capacity) {
        startsAt = start
        counts = new Map()
      }
      return counts
    },
    secondsLeft: () => Math.ceil((startsAt + windowMs - now().getTime()) / 1000),
  }
}
