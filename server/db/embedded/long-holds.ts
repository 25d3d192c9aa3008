import type { Log } from './engine.ts'
import type { OnHold } from './holds.ts'

/** A connection may keep the others from the session for this long; a longer hold is a defect and is logged. */
export const maxHoldMs = 250
/** Shortest time between two lines, so that a machine under load does not fill its log. */
const silenceMs = 10_000

/** Logs holds that were too long with their statements: at once, then at most one line in ten seconds. */
export function warnOfLongHolds(log: Log, now: () => number = () => performance.now()): OnHold {
  let silentUntil = Number.NEGATIVE_INFINITY
  let unreported = 0
  return ({ ms, engineMs, syncMs, idleMs, statements }) => {
    if (ms <= maxHoldMs) return
    if (now() < silentUntil) {
      unreported++
      return
    }
    const times = { ms: Math.round(ms), engineMs: Math.round(engineMs), syncMs: Math.round(syncMs), idleMs: Math.round(idleMs) }
    log('warn', `a transaction held the embedded database for more than ${maxHoldMs} ms`, { ...times, unreported, statements })
    silentUntil = now() + silenceMs
    unreported = 0
  }
}
