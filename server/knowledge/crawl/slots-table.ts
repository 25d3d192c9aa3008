import { sql } from 'kysely'
import { withTransaction, type Context } from '../../context.ts'
import type { HostSlots } from './hosts.ts'

/** Returns host slots by the database's clock, shared by all workers and sources. */
export function hostSlotsTable(ctx: Context): HostSlots {
  return {
    take: (host, gapMs) =>
      withTransaction(ctx, async (trx) => {
        const { rows } = await sql<{ ms: number }>`select take_turn(${host}, ${gapMs}::float8) as ms`.execute(trx)
        return rows[0]?.ms ?? 0
      }),
    rest: (host, ms) =>
      withTransaction(ctx, async (trx) => {
        await sql`select rest_host(${host}, ${ms}::float8)`.execute(trx)
      }),
  }
}
