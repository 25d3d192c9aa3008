import { vi } from 'vitest'
import type { Database } from '../db/database.ts'

/** SQL for the name of a job's handler, or of its queue if all its jobs have the same handler. */
export const jobName = `coalesce(data ->> 'handler', name)`

/** Makes all delayed jobs of this name due, and waits until a worker has finished them; a job that is retried is made due again. */
export async function endDelays({ pool }: Database, name: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(`select id from pgboss.job where ${jobName} = $1 and state < 'completed'`, [name])
  const ids = rows.map(({ id }) => id)
  await vi.waitUntil(
    async () => {
      const delayed = await pool.query(
        `with due as (
           update pgboss.job set start_after = now() - interval '1 second'
           where id = any($1::uuid[]) and state < 'active' and start_after > now() - interval '1 second' returning name
         )
         select pg_notify('groundwork_jobs', name) from due group by name`,
        [ids],
      )
      if (delayed.rows.length > 0) return false
      const open = await pool.query(`select 1 from pgboss.job where id = any($1::uuid[]) and state < 'completed' limit 1`, [ids])
      return open.rows.length === 0
    },
    { timeout: 120_000 },
  )
}
