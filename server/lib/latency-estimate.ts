/** Estimates how long an operation takes from its latest durations. */
export interface LatencyEstimate {
  /** Records a duration in milliseconds. */
  record(ms: number): void
  /** Returns the configured quantile of the last 50 durations in milliseconds; `initialMs` before the first. */
  estimateMs(): number
}

const windowSize = 50

/** Uses a quantile rather than a mean: one search that loads its index first says nothing about the next search. */
export function createLatencyEstimate({ quantile, initialMs }: { quantile: number; initialMs: number }): LatencyEstimate {
  const latest: number[] = []
  let next = 0
  let usual: number | undefined
  return {
    record(ms) {
      usual = undefined
      latest[next] = ms
      next = (next + 1) % windowSize
    },
    estimateMs() {
      usual ??= latest.toSorted((a, b) => a - b)[Math.floor(latest.length * quantile)] ?? initialMs
      return usual
    },
  }
}
