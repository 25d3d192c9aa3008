import type { Pool } from 'pg'
import type { LoopHealth } from '../lib/loop-health.ts'

/** Retries and delayed jobs become due without a notification. */
const pollMs = 1000

/** Each probe reads one entry of pg-boss's index on name and start_after. */
const dueQueues = `
  select name from unnest($1::text[]) as queue (name)
  where exists (select from pgboss.job where job.name = queue.name and state < 'active' and not blocked and start_after <= now())`

/** Wakes the consumers of queues with due jobs, with one statement a second for all queues. */
export function pollDueQueues(
  pool: Pool,
  { names, wake, health }: { names: () => string[]; wake: (name: string) => void; health: LoopHealth },
): { stop(): Promise<void> } {
  let polling: Promise<void> | undefined
  const poll = async (): Promise<void> => {
    try {
      const { rows } = await pool.query<{ name: string }>(dueQueues, [names()])
      health.succeeded()
      for (const { name } of rows) wake(name)
    } catch (error) {
      health.failed(error)
    } finally {
      polling = undefined
    }
  }
  const timer = setInterval(() => (polling ??= poll()), pollMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await polling
    },
  }
}
