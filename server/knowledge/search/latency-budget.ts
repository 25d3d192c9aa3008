import { createLatencyEstimate, type LatencyEstimate } from '../../lib/latency-estimate.ts'
import type { KnowledgeContext } from '../context.ts'

/** The time that is left to answer a search. */
export interface LatencyBudget {
  /** Milliseconds until the passages must be found; Infinity without a limit, negative after the deadline. */
  leftMs(): number
}

/** Reserved for the work after the verb returns: cutting the reply to its schema, serializing and sending it. */
const sendMs = 2

/**
 * Starts the budget of a search. Reserves the program's usual deadline overshoot and the time that requests usually wait
 * for the event loop, at most 70 % of the budget.
 * @param latencyBudgetMs from the arrival of the request to its answer; undefined for no limit
 */
export function budgetOf(
  {
    arrivedAt = performance.now(),
    searchLatencies: { deadlineOvershoot, eventLoopDelay },
  }: Pick<KnowledgeContext, 'arrivedAt' | 'searchLatencies'>,
  latencyBudgetMs: number | undefined,
): LatencyBudget {
  if (latencyBudgetMs === undefined) return { leftMs: () => Infinity }
  noteEventLoopDelay(eventLoopDelay)
  // The request arrived during one turn of the event loop, and other requests may run before it in the next.
  const waitedMs = 2 * eventLoopDelay.estimateMs()
  const end = arrivedAt + latencyBudgetMs - Math.min(waitedMs + deadlineOvershoot.estimateMs() + sendMs, 0.7 * latencyBudgetMs)
  return { leftMs: () => end - performance.now() }
}

/** The result of work that missed its deadline. */
export const late = Symbol('late')

/** The shortest delay of a timer. */
const minTimerMs = 1

/**
 * Runs `work` for at most `ms` milliseconds. Does not start it when there is no time.
 * @returns the result, or `late` after the deadline; then the signal is aborted and the outcome of the work is ignored
 */
export async function withinTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | typeof late> {
  if (ms < minTimerMs) return late
  const stop = new AbortController()
  const working = work(stop.signal)
  if (ms === Infinity) return working
  return new Promise((resolve, reject) => {
    const expire = (): void => {
      resolve(late)
      stop.abort(new Error('the deadline has passed'))
    }
    // Lets results that have arrived meanwhile win: a busy event loop runs timers first.
    const timer = setTimeout(() => setImmediate(expire), ms)
    void working.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

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
