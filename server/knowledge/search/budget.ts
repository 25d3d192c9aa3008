import type { Context } from '../../context.ts'
import { noteTurn } from './pace.ts'

/** The time in which a search is to be answered. */
export interface Budget {
  /** Milliseconds until the passages have to be there: Infinity without a limit, less than 0 when it is over. */
  leftMs(): number
}

/** For what follows the answer of the verb: its reply is cut to the schema, written as JSON and sent. */
const sendMs = 2

/**
 * What a busy program is usually late by, and what its requests have waited before it sees them, is kept back.
 * @param latencyBudgetMs from the arrival of the request to its answer; without it there is no limit
 */
export function budgetOf(
  { arrivedAt = performance.now(), searchPaces: { overrun, turn } }: Pick<Context, 'arrivedAt' | 'searchPaces'>,
  latencyBudgetMs: number | undefined,
): Budget {
  if (latencyBudgetMs === undefined) return { leftMs: () => Infinity }
  noteTurn(turn)
  // It came while a turn was on, and others may go before it in the next.
  const waitedMs = 2 * turn.usualMs()
  const end = arrivedAt + latencyBudgetMs - Math.min(waitedMs + overrun.usualMs() + sendMs, 0.7 * latencyBudgetMs)
  return { leftMs: () => end - performance.now() }
}

/** What is not waited for any longer. */
export const late = Symbol('late')

/** A timer waits no less. */
const shortestMs = 1

/**
 * What comes of the work, or `late` where it takes longer: then its signal is aborted and nobody hears of its end. Without
 * time it is not begun.
 */
export async function inTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | typeof late> {
  if (ms < shortestMs) return late
  const stop = new AbortController()
  const working = work(stop.signal)
  if (ms === Infinity) return working
  return new Promise((resolve, reject) => {
    const give = (): void => {
      resolve(late)
      stop.abort(new Error('nobody waits for it any longer'))
    }
    // Behind what has arrived meanwhile: a busy loop runs timers first.
    const timer = setTimeout(() => setImmediate(give), ms)
    void working.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
