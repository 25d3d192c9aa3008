import type { Pool } from 'pg'

/** Makes due what a former run of this program held when it was killed; only for a program that is alone on its database. */
export async function releaseHeldDeliveries(pool: Pool): Promise<void> {
  await pool.query('update webhook_delivery set next_attempt_at = now(), in_flight = false where in_flight')
}
