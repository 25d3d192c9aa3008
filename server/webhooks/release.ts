import type { Pool } from 'pg'

/** Makes deliveries due that a killed program had claimed; only for a program that has the database to itself. */
export async function releaseClaimedDeliveries(pool: Pool): Promise<void> {
  await pool.query('update webhook_delivery set next_attempt_at = now(), in_flight = false where in_flight')
}
