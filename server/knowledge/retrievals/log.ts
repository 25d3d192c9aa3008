import type { SearchReply } from '@groundwork/api'
import type { Logger } from 'pino'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { reportingTo, type LoopHealth } from '../../lib/loop-health.ts'
import { retrievalsOf, type Retrieval } from './retrieval.ts'
import type { RetentionDays } from '../../lib/retention-days.ts'
import { writeRetrievals } from './write.ts'

export interface RetrievalLog {
  /** Records a search for each of the knowledge bases, without a statement. */
  readonly record: (ctx: Context, baseIds: readonly string[], reply: SearchReply) => void
  /** Writes the recorded searches. Rows that cannot be written are kept for the next time, and the failure is logged. */
  flush(): Promise<void>
  /** Writes the remaining rows and logs those that could not be written; never rejects. */
  close(): Promise<void>
}

export interface RetrievalLogOptions {
  jobs: Jobs
  retentionDays: RetentionDays
  log: Pick<Logger, 'error' | 'warn'>
  now: () => Date
  /** Told of every write; failures are logged by default. */
  health?: LoopHealth
  /** Interval between writes, unless a batch is full earlier. Null for a program that flushes by itself. */
  intervalMs?: number | null
  /** Number of rows that are written at once without waiting. */
  full?: number
  /** Rows per transaction: the embedded engine serves no other connection meanwhile. */
  batch?: number
  /** Maximum rows in memory: the oldest are dropped first. */
  capacity?: number
}

/** Creates the retrieval log: rows are kept in memory, so that no reply waits for them, and written within about a second. */
export function createRetrievalLog(
  db: Database,
  {
    jobs,
    retentionDays,
    log,
    now,
    health = reportingTo((error) => log.error({ err: error }, 'searches could not be written down yet')),
    intervalMs = 1000,
    full = 200,
    batch = 50,
    capacity = 5000,
  }: RetrievalLogOptions,
): RetrievalLog {
  let pending: Retrieval[] = []
  let dropped = 0
  let writing = Promise.resolve()
  let called = false

  function remember(retrievals: readonly Retrieval[]): void {
    pending.push(...retrievals)
    const excess = pending.length - capacity
    if (excess <= 0) return
    pending.splice(0, excess)
    dropped += excess
  }

  async function write(): Promise<void> {
    called = false
    const taken = pending
    pending = []
    tellOfDropped()
    const unwritten: Retrieval[] = []
    for (const [organizationId, retrievals] of byOrganization(taken)) {
      for (let from = 0; from < retrievals.length; from += batch) {
        const part = retrievals.slice(from, from + batch)
        try {
          await writeRetrievals(db, { jobs, retentionDays, organizationId }, part)
          health.succeeded()
        } catch (error) {
          health.failed(error)
          unwritten.push(...retrievals.slice(from))
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
    if (dropped > 0) log.warn({ dropped }, 'searches came faster than the database writes them down: the oldest were left out')
    dropped = 0
  }

  function flush(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  const timer = intervalMs === null ? undefined : setInterval(() => void flush(), intervalMs).unref()
  return {
    record(ctx, baseIds, reply) {
      remember(retrievalsOf(ctx, baseIds, reply, now()))
      if (called || pending.length < full) return
      called = true
      void flush()
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
      if (pending.length > 0) log.error({ lost: pending.length }, 'searches are not in their log: it could not be written at the end')
    },
  }
}

function byOrganization(retrievals: readonly Retrieval[]): Map<string, Retrieval[]> {
  const groups = new Map<string, Retrieval[]>()
  for (const retrieval of retrievals) {
    const group = groups.get(retrieval.organizationId)
    if (group === undefined) groups.set(retrieval.organizationId, [retrieval])
    else group.push(retrieval)
  }
  return groups
}

/** For searches that are not recorded. */
export const notLogged: RetrievalLog = { record: () => undefined, flush: async () => undefined, close: async () => undefined }
