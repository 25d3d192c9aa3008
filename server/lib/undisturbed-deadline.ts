import { readdirSync, readFileSync } from 'node:fs'

/** A deadline expires after this many times its limit in any case. */
export const maxSlowdown = 20

/**
 * Calls `onExpired` after `limitMs`, not counting the time for which the main threads of a process and of its descendants
 * waited for a processor. Work that mostly waits for a network therefore has the same time beside other busy processes as on
 * an idle machine. On systems other than Linux, all time counts.
 * @returns a function that ends the deadline
 */
export function startUndisturbedDeadline(pid: number | undefined, limitMs: number, onExpired: () => void): () => void {
  const started = performance.now()
  const before = delaysOf(pid)
  let timer = setTimeout(check, limitMs)
  return () => clearTimeout(timer)

  function check(): void {
    const elapsed = performance.now() - started
    const left = limitMs - (elapsed - delaySince(before, delaysOf(pid)))
    // A timer may fire a millisecond early.
    if (left <= 1 || elapsed >= maxSlowdown * limitMs) return onExpired()
    timer = setTimeout(check, Math.max(left, limitMs / 10))
  }
}

/** Returns by how much the processes were delayed; those that have ended since are unknown. */
function delaySince(before: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): number {
  return [...now].reduce((sum, [pid, delay]) => sum + delay - (before.get(pid) ?? 0), 0)
}

/** Returns for how many milliseconds each process of a tree has waited for a processor since its start. */
export function delaysOf(pid: number | undefined): Map<number, number> {
  const delays = new Map<number, number>()
  for (const each of pid === undefined ? [] : treeOf(pid)) {
    // Nanoseconds of running and of waiting to run, see the kernel's documentation of schedstat.
    const waited = Number(contentOf(`/proc/${each}/schedstat`).split(' ')[1])
    if (waited >= 0) delays.set(each, waited / 1e6)
  }
  return delays
}

/** Returns a process with its descendants. */
function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of processes()) {
    const stat = contentOf(`/proc/${name}/stat`)
    // The name in parentheses may contain spaces; the parent follows it and the state.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [pid]
  for (const each of tree) tree.push(...(children.get(each) ?? []))
  return tree
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    // Systems other than Linux have no such folder.
    return []
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The process has ended, or the system does not tell.
    return ''
  }
}
