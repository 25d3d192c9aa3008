import { vi } from 'vitest'
import type { Database } from '../db/database.ts'

/** Makes all delayed jobs of the queue due, and waits until a worker has finished them. */
export async function endDelays({ pool }: Database, queue: string): Promise<void> {
  await pool.query(`update pgboss.job set start_after = now() - interval '1 second' where name = $1 and state < 'active'`, [queue])
  const { rows } = await pool.query<{ id: string }>(`select id from pgboss.job where name = $1 and state < 'completed'`, [queue])
  const ids = rows.map(({ id }) => id)
  await pool.query(`select pg_notify('groundwork_jobs', $1)`, [queue])
  await vi.waitUntil(
    async () => {
      const open = await pool.query(`select 1 from pgboss.job where id = any($1::uuid[]) and state < 'completed' limit 1`, [ids])
      return open.rows.length === 0
    },
    { timeout: 30_000 },
  )
}
