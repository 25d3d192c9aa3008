import type { Logger } from 'pino'

/** The health of one background loop, as the loop reports it: once per round, or once per unit of work. */
export interface LoopHealth {
  /** Ends a series of failures. Cheap enough to call on every round. */
  readonly succeeded: () => void
  /** Logs the failure with backoff; after several in a row the program is no longer ready. */
  readonly failed: (error: unknown) => void
}

/** Returns a health that only forwards failures. */
export const reportingTo = (onError: (error: Error) => void): LoopHealth => ({
  succeeded: () => undefined,
  failed: (error) => onError(error instanceof Error ? error : new Error(String(error))),
})

export interface FailingLoop {
  readonly name: string
  readonly failures: number
  readonly since: Date
  /** The SQLSTATE or system error code of the last failure, which is safe to show to anyone; null without one. */
  readonly code: string | null
}

export interface LoopRegistry {
  /** Returns the health of the loop with this name. Callers with the same name share it. */
  loop(name: string): LoopHealth
  /** Loops that have failed at least 3 times in a row over at least 5 seconds, most recently within the last 2 minutes. */
  failing(): readonly FailingLoop[]
}

const minFailures = 3
const minDurationMs = 5000
/** A loop that has nothing left to do reports nothing, so an old failure must not keep the program from being ready. */
const staleMs = 120_000
/** Pause between two log lines about one series of failures: doubles from the first value to the second. */
const logPauseMs = { first: 1000, longest: 60_000 }

interface Series {
  failures: number
  since: number
  last: number
  code: string | null
}

/** Log backoff of a loop. It outlives a short recovery, so that a flapping loop does not flood the log. */
interface LogBackoff {
  nextAt: number
  pauseMs: number
  recoveryDue: boolean
}

/** Collects the health of all background loops of a program. */
export function createLoopRegistry({ log, now }: { log: Pick<Logger, 'error' | 'info'>; now: () => Date }): LoopRegistry {
  const series = new Map<string, Series>()
  const backoffs = new Map<string, LogBackoff>()

  function failed(name: string, error: unknown): void {
    const at = now().getTime()
    const current = series.get(name) ?? { failures: 0, since: at, last: at, code: null }
    series.set(name, { ...current, failures: current.failures + 1, last: at, code: publicErrorCode(error) })
    const known = backoffs.get(name)
    if (known !== undefined && at < known.nextAt) return
    const pauseMs = known === undefined || at >= known.nextAt + logPauseMs.longest ? logPauseMs.first : known.pauseMs
    backoffs.set(name, { nextAt: at + pauseMs, pauseMs: Math.min(pauseMs * 2, logPauseMs.longest), recoveryDue: true })
    const since = new Date(current.since)
    log.error({ err: error, loop: name, failures: current.failures + 1, since }, `background work failed: ${name}`)
  }

  function succeeded(name: string): void {
    const ended = series.get(name)
    const backoff = backoffs.get(name)
    if (ended === undefined) return
    series.delete(name)
    if (backoff?.recoveryDue !== true) return
    backoff.recoveryDue = false
    log.info({ loop: name, failures: ended.failures, since: new Date(ended.since) }, `background work recovered: ${name}`)
  }

  return {
    loop: (name) => ({ succeeded: () => succeeded(name), failed: (error) => failed(name, error) }),
    failing() {
      const at = now().getTime()
      return [...series]
        .filter(([, { failures, since, last }]) => failures >= minFailures && last - since >= minDurationMs && at - last < staleMs)
        .map(([name, { failures, since, code }]) => ({ name, failures, since: new Date(since), code }))
    },
  }
}

/** Returns the SQLSTATE or system error code of an error or its cause, and nothing of its message, which can hold addresses and data. */
export function publicErrorCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^[A-Z0-9_]{3,40}$/.test(code)) return code
  return error instanceof Error && error.cause !== undefined ? publicErrorCode(error.cause) : null
}
