import { readdirSync, readFileSync } from 'node:fs'

/** A process that gets hardly any processor time is ended after this many times its limit. */
const maxSlowdown = 20

/** A process waits for something that does not come if it uses less than this share of its limit during its limit, and no thread wants to run. */
const idleShare = 0.001

/** The unit in which Linux counts processor time. */
const tickMs = 10

/**
 * Calls `onExpired` when a process has used `limitMs` of processor time since the call, or hardly any in `limitMs`, or after
 * `maxSlowdown` times `limitMs` in any case. Beside other busy processes, work therefore succeeds as on an idle machine. On
 * systems other than Linux, `limitMs` is the elapsed time.
 * @returns a function that ends the deadline
 */
export function startDeadline(pid: number | undefined, limitMs: number, onExpired: () => void): () => void {
  const started = performance.now()
  const usedBefore = processorMs(pid)
  const leastMs = Math.max(tickMs, idleShare * limitMs)
  let progress = { at: started, used: 0 }
  let timer = setTimeout(check, limitMs)
  return () => clearTimeout(timer)

  function check(): void {
    const [now, total] = [performance.now(), processorMs(pid)]
    const used = total === null || usedBefore === null ? limitMs : total - usedBefore
    if (used - progress.used >= leastMs) progress = { at: now, used }
    // A timer may fire a millisecond early.
    const isIdle = now - progress.at >= limitMs - 1 && !wantsToRun(pid)
    if (used >= limitMs || isIdle || now - started >= maxSlowdown * limitMs) return onExpired()
    timer = setTimeout(check, Math.max(limitMs - used, limitMs / 10))
  }
}

/** Returns the processor time of a process and its threads in milliseconds; null if the system does not tell it. */
export function processorMs(pid: number | undefined): number | null {
  const [user, system] = pid === undefined ? [] : statistics(`/proc/${pid}/stat`).slice(11, 13)
  return user === undefined || system === undefined ? null : (Number(user) + Number(system)) * tickMs
}

/** Returns whether a thread of a process is running or waits for a processor or a disk. */
function wantsToRun(pid: number | undefined): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => /^[RD]$/.test(statistics(`/proc/${pid}/task/${thread}/stat`)[0] ?? ''))
  } catch {
    return false
  }
}

/** Returns the fields of a `stat` file (proc_pid_stat(5)) from the state on; none if there is no such process, or on other systems. */
function statistics(path: string): string[] {
  try {
    const stat = readFileSync(path, 'latin1')
    // The name in parentheses may contain spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
