import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { LoopHealth } from '../lib/loop-health.ts'
import { createWakeableSleep } from '../lib/wakeable-sleep.ts'

const minPauseMs = 1000
/** A job that another process made due without a notification waits at most this long. */
const maxPauseMs = 5000

/** Reads pg-boss's index of waiting jobs, which contains start_after. */
const earliestJobs = `
  select queue.name, extract(epoch from earliest.start_after - now())::float8 * 1000 as "dueInMs"
  from unnest($1::text[]) as queue (name)
  cross join lateral (
    select start_after from pgboss.job where job.name = queue.name and state < 'active' and not blocked order by start_after limit 1
  ) as earliest`

export interface DuePoller {
  /** Polls within a second: a job may have become due, or be due sooner than the next poll. */
  soon(): void
  stop(): Promise<void>
}

/**
 * Wakes the consumers of queues with due jobs. Retries and delayed jobs become due without a notification, so one statement
 * for all queues reads when the next one does.
 */
export function pollDueQueues(
  pool: Pool,
  { names, wake, health }: { names: () => string[]; wake: (name: string) => void; health: LoopHealth },
): DuePoller {
  const pause = createWakeableSleep()
  const stopping = new AbortController()

  /** Returns the milliseconds until the next job is due. */
  const poll = async (): Promise<number> => {
    try {
      const { rows } = await pool.query<{ name: string; dueInMs: number }>(earliestJobs, [names()])
      health.succeeded()
      for (const { name, dueInMs } of rows) if (dueInMs <= 0) wake(name)
      return Math.min(maxPauseMs, ...rows.map(({ dueInMs }) => dueInMs))
    } catch (error) {
      health.failed(error)
      return minPauseMs
    }
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const nextMs = await poll()
      const minPause = delay(minPauseMs, undefined, { ref: false })
      await pause.sleep(Math.max(nextMs, minPauseMs))
      // Not when it stops, which wakes the sleep.
      if (!stopping.signal.aborted) await minPause
    }
  }
  const ended = loop()
  return {
    soon: pause.wake,
    async stop() {
      stopping.abort()
      pause.wake()
      await ended
    },
  }
}
