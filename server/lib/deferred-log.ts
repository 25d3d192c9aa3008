import type { Logger } from 'pino'
import { reportingTo, type LoopHealth } from './loop-health.ts'

/** A log whose rows are kept in memory, so that no reply waits for them, and written in batches. */
export interface DeferredLog<Row> {
  /** Adds rows without a statement. */
  readonly add: (rows: readonly Row[]) => void
  /** Writes the rows. Those that cannot be written are kept for the next time, and the failure is logged. */
  readonly flush: () => Promise<void>
  /** Writes the remaining rows and logs those that could not be written; never rejects. */
  readonly close: () => Promise<void>
}

export interface DeferredLogOptions {
  log: Pick<Logger, 'error' | 'warn'>
  /** Told of every write; failures are logged by default. */
  health?: LoopHealth | undefined
  /** Interval between writes, unless a batch is full earlier. Null for a program that flushes by itself. */
  intervalMs?: number | null | undefined
  /** Number of rows that are written at once without waiting. */
  full?: number | undefined
  /** Rows per transaction: the embedded engine serves no other connection meanwhile. */
  batch?: number | undefined
  /** Maximum rows in memory: the oldest are dropped first. */
  capacity?: number | undefined
}

interface DeferredLogTarget<Row> {
  /** Adds the rows of an organization in one transaction. Rows that were added before must have no effect. */
  readonly write: (organizationId: string, rows: readonly Row[]) => Promise<void>
  /** What the program's log says about rows that are late, dropped or lost. */
  readonly messages: { readonly late: string; readonly dropped: string; readonly lost: string }
}

export function createDeferredLog<Row extends { readonly organizationId: string }>(
  { write, messages }: DeferredLogTarget<Row>,
  {
    log,
    health = reportingTo((error) => log.error({ err: error }, messages.late)),
    intervalMs = 1000,
    full = 200,
    batch = 50,
    capacity = 5000,
  }: DeferredLogOptions,
): DeferredLog<Row> {
  let pending: Row[] = []
  let dropped = 0
  let writing = Promise.resolve()
  let called = false

  function remember(rows: readonly Row[]): void {
    pending.push(...rows)
    const excess = pending.length - capacity
    if (excess <= 0) return
    pending.splice(0, excess)
    dropped += excess
  }

  async function writePending(): Promise<void> {
    called = false
    const taken = pending
    pending = []
    tellOfDropped()
    const unwritten: Row[] = []
    for (const [organizationId, rows] of byOrganization(taken)) {
      for (let from = 0; from < rows.length; from += batch) {
        try {
          await write(organizationId, rows.slice(from, from + batch))
          health.succeeded()
        } catch (error) {
          health.failed(error)
          unwritten.push(...rows.slice(from))
          break
        }
      }
    }
    const since = pending
    pending = []
    remember([...unwritten, ...since])
    tellOfDropped()
  }

  function tellOfDropped(): void {
    if (dropped > 0) log.warn({ dropped }, messages.dropped)
    dropped = 0
  }

  function flush(): Promise<void> {
    writing = writing.then(writePending)
    return writing
  }

  const timer = intervalMs === null ? undefined : setInterval(() => void flush(), intervalMs).unref()
  return {
    add(rows) {
      remember(rows)
      if (called || pending.length < full) return
      called = true
      void flush()
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
      if (pending.length > 0) log.error({ lost: pending.length }, messages.lost)
    },
  }
}

function byOrganization<Row extends { readonly organizationId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.organizationId)
    if (group === undefined) groups.set(row.organizationId, [row])
    else group.push(row)
  }
  return groups
}
