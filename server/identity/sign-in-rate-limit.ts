import type { BetterAuthRateLimitStorage } from 'better-auth'
import { sql, type Kysely } from 'kysely'
import { newId } from '../lib/ids.ts'

/** The longest window. Older rows are deleted. */
const maxWindowMs = 60_000

/**
 * Counts attempts by key before they are made, in one statement, so that concurrent attempts cannot exceed the limit.
 * better-auth's own storage checks the count in a subquery, which PostgreSQL does not re-evaluate after waiting for a
 * concurrent update. Each accepted attempt restarts the window.
 */
export function signInRateLimit(db: Kysely<unknown>): BetterAuthRateLimitStorage {
  const consume: BetterAuthRateLimitStorage['consume'] = async (key, { window, max }) => {
    const now = Date.now()
    const begun = now - window * 1000
    const { rows } = await sql<{ count: number }>`
      insert into rate_limit as counted (id, key, count, last_request) values (${newId(now)}, ${key}, 1, ${now})
      on conflict (key) do update
        set count = case when counted.last_request <= ${begun} then 1 else counted.count + 1 end, last_request = ${now}
        where counted.last_request <= ${begun} or counted.count < ${max}
      returning count
    `.execute(db)
    if (rows[0]?.count === 1) await sql`delete from rate_limit where last_request < ${now - maxWindowMs}`.execute(db)
    return rows[0] === undefined ? { allowed: false, retryAfter: await secondsUntilFree(key, window) } : { allowed: true, retryAfter: null }
  }

  async function secondsUntilFree(key: string, window: number): Promise<number> {
    const { rows } = await sql<{ last: string }>`select last_request as last from rate_limit where key = ${key}`.execute(db)
    return Math.max(1, Math.ceil((Number(rows[0]?.last ?? 0) - Date.now()) / 1000 + window))
  }

  const unused = (): never => {
    throw new Error('better-auth must use consume()')
  }
  return { consume, get: unused, set: unused }
}
