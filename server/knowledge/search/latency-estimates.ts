import { createLatencyEstimate, type LatencyEstimate } from '../../lib/latency-estimate.ts'

/** Estimates that a search with a latency budget plans with. */
export interface SearchLatencies {
  /** From the start of retrieval to its passages. */
  readonly search: LatencyEstimate
  /** The time by which replies exceeded their latency budget. */
  readonly deadlineOvershoot: LatencyEstimate
  /** One turn of the event loop: a request may wait for it before the program sees it. */
  readonly eventLoopDelay: LatencyEstimate
}

export const createSearchLatencies = (): SearchLatencies => ({
  search: createLatencyEstimate({ quantile: 0.97, initialMs: 5 }),
  deadlineOvershoot: createLatencyEstimate({ quantile: 0.98, initialMs: 1 }),
  eventLoopDelay: createLatencyEstimate({ quantile: 0.9, initialMs: 0 }),
})

/** Records the duration of the next turn of the event loop. The loop does not sleep while an immediate is pending, so it measures work alone. */
export function noteEventLoopDelay(estimate: LatencyEstimate): void {
  setImmediate(() => {
    const began = performance.now()
    setImmediate(() => estimate.record(performance.now() - began))
  })
}
